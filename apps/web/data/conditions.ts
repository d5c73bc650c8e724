import {
  type ArchField,
  type Condition,
  type Domain,
  type DomainTokens,
  dateIn,
  evaluateDomain,
  parseDomain,
} from '@kontor/protocol';
import { timeZone } from '../i18n/dates.ts';
import { bootstrap } from '../state/bootstrap.ts';
import type { Values } from './rpc.ts';

interface ParsedCondition {
  readonly node: ReturnType<typeof parseDomain>;
  /** It follows a relation: `partner_id.name`. */
  readonly isDeep: boolean;
  readonly asksId: boolean;
}

const parsed = new WeakMap<Domain, ParsedCondition>();

/**
 * Whether an `invisible`, `readonly`, `required` or `when` of a view holds for a record as it is on screen. It is asked on
 * every key press, so nothing is worked out twice.
 */
export function holds(
  condition: Condition | undefined,
  record: Values,
  fields: readonly Pick<ArchField, 'name' | 'type'>[] = [],
): boolean {
  if (condition === undefined || typeof condition === 'boolean') return condition === true;
  const { node, isDeep, asksId } = parsed.get(condition) ?? parse(condition);
  // To a view, a record that is not saved yet has no id.
  const seen = asksId && record.id === 0 ? { ...record, id: null } : record;
  try {
    return evaluateDomain(node, isDeep ? nested(seen) : seen, {
      tokens: domainTokens(),
      tz: timeZone(),
      typeOf: (path) => (path.length === 1 ? fields.find((field) => field.name === path[0])?.type : undefined),
    });
  } catch {
    // A path that is not loaded: the server decides, the screen stays as it is.
    return false;
  }
}

function parse(condition: Domain): ParsedCondition {
  const paths = condition.flatMap((part) => (Array.isArray(part) ? [String(part[0])] : []));
  const isDeep = paths.some((path) => path.includes('.'));
  const made = { node: parseDomain(condition), isDeep, asksId: paths.includes('id') };
  parsed.set(condition, made);
  return made;
}

const aMinute = 60_000;
let lastTokens: { readonly minute: number; readonly tokens: DomainTokens } | null = null;

/** What the tokens of a domain stand for, for the person and now. */
export function domainTokens(): DomainTokens {
  const now = new Date();
  const minute = Math.floor(now.getTime() / aMinute);
  if (lastTokens?.minute === minute) return lastTokens.tokens;
  const { user, activeCompanyId, companies } = bootstrap();
  const made = {
    uid: user.id,
    companyId: activeCompanyId,
    companyIds: companies.map(({ id }) => id),
    today: dateIn(timeZone(), now),
    now: now.toISOString(),
  };
  lastTokens = { minute, tokens: made };
  return made;
}

const nestedBefore = new WeakMap<Values, Record<string, unknown>>();

/** `partner_id.name` beside `partner_id` becomes one nested record, as the evaluator reads it. */
function nested(record: Values): Record<string, unknown> {
  const before = nestedBefore.get(record);
  if (before) return before;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) if (!key.includes('.')) result[key] = value;
  for (const [key, value] of Object.entries(record)) {
    const [head, tail, ...rest] = key.split('.');
    if (head === undefined || tail === undefined || rest.length > 0) continue;
    const id = result[head];
    if (typeof id === 'number') result[head] = { id, [tail]: value };
    else if (typeof id === 'object' && id !== null) result[head] = { ...id, [tail]: value };
  }
  nestedBefore.set(record, result);
  return result;
}
