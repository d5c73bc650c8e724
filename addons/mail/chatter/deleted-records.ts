import { anyModel, type Env } from '@kontor/addon';
import type { Change } from '../tracking/tracked-change.ts';

/** While a deletion can be undone, the messages about the record are kept for it. */
const keptDays = 60;
const batch = 1_000;

/** Ids of deleted records, by model. */
export function deletedRecords(changes: readonly Change[]): ReadonlyMap<string, readonly number[]> {
  const gone = new Map<string, number[]>();
  for (const { model, id, operation } of changes) {
    if (operation !== 'unlink') continue;
    const ids = gone.get(model) ?? [];
    gone.set(model, ids);
    ids.push(id);
  }
  return gone;
}

/**
 * Marks the messages of a deleted record. They are unreadable in the meantime: the chatter requires the record. As the server, here
 * and below: messages follow their record, whoever deletes it, and none of them is shown.
 */
export async function noteDeletedRecords(env: Env, gone: ReadonlyMap<string, readonly number[]>): Promise<void> {
  const messages = env.sudo().model('mail.message');
  for (const [model, ids] of gone) {
    const left = await messages.search([
      ['model', '=', model],
      ['res_id', 'in', [...ids]],
    ]);
    if (left.length > 0) await messages.write(left, { gone_at: env.now.toISOString() });
  }
}

/** Deletes the messages of records that are gone for good; false if nothing is left. */
export async function removeDeletedMessages(env: Env): Promise<boolean> {
  const messages = env.sudo().model('mail.message');
  const limit = new Date(env.now.getTime() - keptDays * 86_400_000).toISOString();
  const old = await messages.searchRead([['gone_at', '<', limit]], ['model', 'res_id'], { limit: batch });
  const models = new Set(old.map(({ model }) => model));
  for (const model of models) {
    const own = old.filter((message) => message.model === model);
    const back = await existing(env, model, [...new Set(own.map((message) => message.res_id))]);
    const isBack = (message: { readonly res_id: number }) => back.has(message.res_id);
    const idsOf = (some: typeof own) => some.map(({ id }) => id);
    await messages.write(idsOf(own.filter(isBack)), { gone_at: null });
    await messages.unlink(idsOf(own.filter((message) => !isBack(message))));
  }
  return old.length === batch;
}

/** Deletes files that were removed long ago; false if nothing is left. */
export async function dropRemovedFiles(env: Env): Promise<boolean> {
  // As the server: a job without readers.
  const files = env.sudo().model('mail.message.file');
  const limit = new Date(env.now.getTime() - keptDays * 86_400_000).toISOString();
  const old = await files.search([['removed_at', '<', limit]], { limit: batch });
  await files.unlink(old);
  return old.length === batch;
}

async function existing(env: Env, model: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!env.registry.models.has(model)) return new Set();
  return new Set(await anyModel(env.sudo(), model).search([['id', 'in', [...ids]]]));
}

/** A deleted record has no open activities. As the server: also for users who did not delete it. */
export async function deleteActivities(env: Env, gone: ReadonlyMap<string, readonly number[]>): Promise<void> {
  await deleteAbout(env, 'mail.activity', gone);
}

/** It has no followers either. As the server: the choices of others are deleted too. */
export async function forgetFollowing(env: Env, gone: ReadonlyMap<string, readonly number[]>): Promise<void> {
  await deleteAbout(env, 'mail.follow', gone);
}

async function deleteAbout(
  env: Env,
  name: 'mail.activity' | 'mail.follow',
  gone: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const records = anyModel(env.sudo(), name);
  for (const [model, ids] of gone) {
    const left = await records.search([
      ['model', '=', model],
      ['res_id', 'in', [...ids]],
    ]);
    if (left.length > 0) await records.unlink(left);
  }
}
