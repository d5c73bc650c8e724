import { type Condition, type DomainTokens, dateIn, evaluateDomain, parseDomain } from '@kontor/protocol';
import { timeZone } from '../../i18n/dates.ts';
import { bootstrap } from '../../state/bootstrap.ts';
import type { RecordValues } from '../rpc.ts';

const parsed = new WeakMap<object, ReturnType<typeof parseDomain>>();

/** Whether a condition of a view holds of the record on screen. Asked on every key press, so nothing is worked out twice. */
export function holds(condition: Condition | undefined, record: RecordValues): boolean {
  if (condition === undefined || typeof condition === 'boolean') return condition === true;
  let node = parsed.get(condition);
  if (!node) {
    node = parseDomain(condition);
    parsed.set(condition, node);
  }
  try {
    return evaluateDomain(node, nested(record), { tokens: tokens(), tz: timeZone() });
  } catch {
    // A path that is not loaded: the server decides, the screen leaves it as it is.
    return false;
  }
}

const aMinute = 60_000;
let lastTokens: { readonly minute: number; readonly tokens: DomainTokens } | null = null;

function tokens(): DomainTokens {
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

const nestedBefore = new WeakMap<RecordValues, Record<string, unknown>>();

/** `partner_id.name` beside `partner_id` becomes one nested record, as the evaluator reads it. */
function nested(record: RecordValues): Record<string, unknown> {
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
