import { anyModel, type Env, KontorError, modelRefusal } from '@kontor/addon';
import { actingFor, type Rule } from './rule.ts';
import { pauseFor } from './trouble.ts';

/**
 * Reads records with the rights of the author. Null if that is not possible any more: then the automation is switched off, because it
 * would only fail, in the middle of somebody else's work.
 */
export async function asAuthor<T>(env: Env, rule: Rule, read: (author: Env) => Promise<T>): Promise<T | null> {
  const author = await actingFor(env, rule);
  if (author === null) return pauseFor(env, rule.id, 'owner').then(() => null);
  try {
    if (modelRefusal(author, rule.model, 'read') === null) return await read(author);
    await pauseFor(env, rule.id, 'rights');
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    await pauseFor(env, rule.id, error.code === 'ACCESS_DENIED' ? 'rights' : 'broken', error.message);
  }
  return null;
}

/** Those of the records for which its conditions hold, as far as its author may read them. */
export async function matching(env: Env, rule: Rule, ids: readonly number[]): Promise<readonly number[]> {
  const domain = [['id', 'in', ids], ...rule.domain] as never;
  return (await asAuthor(env, rule, (author) => anyModel(author, rule.model).search(domain, { order: 'id' }))) ?? [];
}
