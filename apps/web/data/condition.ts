import { type ArchField, type Condition, type DomainTokens, evaluateDomain, parseDomain } from '@kontor/protocol';
import { timeZone } from '../i18n/dates.ts';
import { today } from '../i18n/local-time.ts';
import { bootstrap } from '../state/bootstrap.ts';
import type { Values } from './rpc.ts';

/** Whether an `invisible`, `readonly`, `required` or `when` holds of a record as it is on screen. */
export function holds(condition: Condition | undefined, record: Values, fields: readonly ArchField[]): boolean {
  if (condition === undefined || typeof condition === 'boolean') return condition === true;
  return evaluateDomain(parseDomain(condition), record, {
    tokens: tokens(),
    tz: timeZone(),
    typeOf: (path) => (path.length === 1 ? fields.find((field) => field.name === path[0])?.type : undefined),
  });
}

function tokens(): DomainTokens {
  const { user, activeCompanyId, companies } = bootstrap();
  return {
    uid: user.id,
    companyId: activeCompanyId,
    companyIds: companies.map(({ id }) => id),
    today: today(),
    now: new Date().toISOString(),
  };
}
