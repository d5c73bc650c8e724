import { gapChannel, innerChannels } from '@kontor/kernel';
import { type DomainNode, invalidArgs } from '@kontor/protocol';

export type AutomationTrigger = 'create' | 'write' | 'unlink' | 'cron';

/** The effect of an automation: publishes to a channel, or writes values. */
export type AutomationAction =
  | { readonly kind: 'publish'; readonly channel: string }
  | { readonly kind: 'write'; readonly values: Readonly<Record<string, unknown>> };

/** A row of sys.automation, ready to run. */
export interface Automation {
  readonly id: number;
  readonly name: string;
  readonly model: string;
  readonly trigger: AutomationTrigger;
  readonly domain: DomainNode;
  /** What held before the change; null: anything. */
  readonly before: DomainNode | null;
  readonly action: AutomationAction;
}

const channelPattern = /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*$/;
/** Channels of the server itself: listeners rely on their payload. */
const ownChannels: ReadonlySet<string> = new Set([
  ...Object.values(innerChannels),
  gapChannel,
  'record.created',
  'record.updated',
  'record.deleted',
  'chatter.posted',
  'module.changed',
  'import.progress',
  'notify',
  'presence',
]);

/** Reads `publish:<channel>` or `write:{"field": value}`; throws INVALID_ARGS with the reason. */
export function parseAutomationAction(text: string): AutomationAction {
  const colon = text.indexOf(':');
  const [kind, rest] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  if (colon > 0 && kind === 'publish') return { kind, channel: channelOf(rest) };
  if (colon > 0 && kind === 'write') return { kind, values: valuesOf(rest) };
  throw invalidArgs('An automation is publish:<channel> or write:{"field": value}.', { field: 'action' });
}

function channelOf(text: string): string {
  if (text.length > 128 || !channelPattern.test(text)) {
    throw invalidArgs(`"${text.slice(0, 80)}" is not a channel such as order.confirmed.`, { field: 'action' });
  }
  if (ownChannels.has(text)) throw invalidArgs(`The channel ${text} is the server's own.`, { field: 'action' });
  return text;
}

function valuesOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values === 'object' && values !== null && !Array.isArray(values) && Object.keys(values).length > 0) {
      return values as Record<string, unknown>;
    }
  } catch {
    // Reported below, like any other text without values.
  }
  throw invalidArgs('write: takes a JSON object of values, such as write:{"state": "done"}.', { field: 'action' });
}
