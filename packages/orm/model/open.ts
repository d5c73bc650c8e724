import type { Domain } from '@kontor/protocol';
import { toJson } from '../fields/to-json.ts';

/** The options of a screen to open. */
export interface OpenSpec {
  readonly view?: string;
  /** The record that a form shows. */
  readonly id?: number;
  readonly domain?: Domain;
  readonly context?: Readonly<Record<string, unknown>>;
  /** A window action, by external id or id; its own views, filters and context apply. */
  readonly action?: string | number;
  /** Records that the action is opened from. */
  readonly activeIds?: readonly number[];
  /** The form is open for changes. */
  readonly edit?: boolean;
  /** Opens over the current screen. */
  readonly target?: 'dialog';
}

declare const opened: unique symbol;
/** The result of an action that opens a screen; created by `open` and `openPath`. */
export interface Opened {
  readonly redirect: string;
  readonly [opened]: true;
}

/** The address of a screen of the client: the only place that builds one. */
export function open(model: string, spec: OpenSpec = {}): Opened {
  const { view, id, domain, context, action, activeIds, edit, target } = spec;
  const query = new URLSearchParams(action === undefined ? { model } : { action: String(action) });
  const shown = view ?? (id === undefined ? undefined : 'form');
  if (shown !== undefined) query.set('view_type', shown);
  if (id !== undefined) query.set('id', String(id));
  if (domain !== undefined) query.set('domain', toJson(domain));
  if (context !== undefined) query.set('context', toJson(context));
  if (activeIds !== undefined) query.set('active_ids', activeIds.join(','));
  if (edit) query.set('edit', '1');
  if (target !== undefined) query.set('target', target);
  return openPath(`/web?${query}`);
}

/**
 * Opens a path of this server that is not a screen of a known model: a file, or the result of `recordPath`.
 * ```ts
 * const letter = (id: number) => openPath(`/web/letters/${id}.pdf`);
 * ```
 */
export function openPath(path: string): Opened {
  return { redirect: path } as Opened;
}
