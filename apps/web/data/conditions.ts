import {
  type ArchField,
  type Condition,
  type Domain,
  type DomainTokens,
  dateIn,
  evaluateDomain,
  parseDomain,
} from '@kontor/protocol';
import { timeZone, weekRule } from '../i18n/dates.ts';
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
 * Whether an `invisible`, `readonly`, `required` or `when` condition of a view holds for the record on screen. Called
 * on every key press, so results are cached.
 */
export function holds(
  condition: Condition | undefined,
  record: Values,
  fields: readonly Pick<ArchField, 'name' | 'type'>[] = [],
): boolean {
  if (condition === undefined || typeof condition === 'boolean') return condition === true;
  const { node, isDeep, asksId } = parsed.get(condition) ?? parse(condition);
  // In views, an unsaved record has no id.
  const seen = asksId && record.id === 0 ? { ...record, id: null } : record;
  try {
    return evaluateDomain(node, isDeep ? nested(seen) : seen, {
      tokens: domainTokens(),
      tz: timeZone(),
      typeOf: (path) => (path.length === 1 ? fields.find((field) => field.name === path[0])?.type : undefined),
    });
  } catch {
    // A path that is not loaded: the server decides, and the screen stays as it is.
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

/** The current values of domain tokens, for this user. */
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
    weekStart: weekRule().start,
    now: now.toISOString(),
  };
  lastTokens = { minute, tokens: made };
  return made;
}

const nestedBefore = new WeakMap<Values, Record<string, unknown>>();

/** Combines `partner_id.name` and `partner_id` into one nested record, as the evaluator expects. */
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
