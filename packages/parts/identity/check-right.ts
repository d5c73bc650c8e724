import { inCompany } from '@kontor/kernel';
import { checkModelAccess, checkRecords, type Env } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';
import { loadActor } from './load-actor.ts';

/** Any env, typed or not. */
type AnyEnv = Pick<Env, 'actor' | 'db' | 'work'>;

/**
 * Throws unless the caller may do this to the records: MODEL_NOT_FOUND, NOT_FOUND or ACCESS_DENIED.
 * ```ts
 * export async function checkOpenTo(env: Env, partnerId: number) {
 *   await checkRight(env, 'core.partner', [partnerId], 'read');
 * }
 * ```
 */
export async function checkRight(
  env: AnyEnv,
  model: string,
  ids: readonly number[],
  operation: 'read' | 'write' | 'unlink',
): Promise<void> {
  const whole = env as Env;
  const known = whole.registry.model(model);
  for (const each of new Set(['read', operation] as const)) checkModelAccess(whole, known, each);
  await checkRecords(whole, known, ids, operation);
}

/**
 * Whether another person may read a record, in the company that it belongs to.
 * ```ts
 * export async function mayTell(env: Env, userId: number, partnerId: number) {
 *   return mayPersonRead(env, userId, 'core.partner', partnerId);
 * }
 * ```
 */
export async function mayPersonRead(env: AnyEnv, uid: number, model: string, id: number): Promise<boolean> {
  const whole = env as Env;
  const actor = await loadActor(env.db, uid);
  if (!actor) return false;
  const companies = new Set([actor.companyId, ...actor.companyIds]);
  for (const companyId of companies) {
    if (await isOpen(whole.as(inCompany(actor, companyId)), model, id)) return true;
    if (!whole.registry.model(model).hasCompany) return false;
  }
  return false;
}

async function isOpen(env: Env, model: string, id: number): Promise<boolean> {
  try {
    await checkRight(env, model, [id], 'read');
    return true;
  } catch (error) {
    if (error instanceof KontorError && (error.code === 'ACCESS_DENIED' || error.code === 'NOT_FOUND')) return false;
    throw error;
  }
}
