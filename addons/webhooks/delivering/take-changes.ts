import { randomUUID } from 'node:crypto';
import { changesAfter, type Env, inNameOf, KontorError, type WorkerSpec, wakeQueue } from '@kontor/addon';
import { domainOf, namesOf } from '../check-subscription.ts';
import { beginFromNow } from './begin.ts';
import { pauseFor } from './pause-for.ts';

const atOnce = 500;
const own = 'webhook.subscription';

/**
 * Creates deliveries for changes, for every webhook from its position, in the transaction that stores the new position: so nothing
 * is missed or repeated. `glance` is a look at the feed with the server's rights: if no record of a model was changed since the
 * last one, its webhooks need not be checked one by one.
 */
export function changeTaker(): WorkerSpec {
  let glance: string | null = null;
  return {
    name: 'take_changes',
    async run({ step, signal }) {
      for (let isMore = true; isMore && !signal.aborted; ) {
        const seen = await step((env) => takeChanges(env, glance));
        isMore = seen.isMore;
        // Only now: a failed step is repeated from its start.
        glance = seen.glance;
      }
    },
  };
}

async function takeChanges(env: Env, glance: string | null): Promise<{ isMore: boolean; glance: string | null }> {
  const followed = await followedNow(env);
  if (followed.length === 0) return { isMore: false, glance: null };
  const models = [...new Set(followed.map(({ model }) => model))];
  const touched = await touchedSince(env, models, glance);
  let isMore = false;
  for (const one of followed) {
    if (touched.models.has(one.model) && (await takeFor(env, one))) isMore = true;
  }
  return isMore ? { isMore, glance } : { isMore: touched.isMore, glance: touched.cursor };
}

/** Active webhooks of existing models. */
async function followedNow(env: Env) {
  const rows = await env
    .model('webhook.subscription')
    .searchRead(
      [['state', '=', 'on']],
      ['model', 'domain', 'watch', 'on_create', 'on_write', 'on_delete', 'user_id', 'company_id', 'url'],
      { order: 'id' },
    );
  const progress = await env
    .model('webhook.progress')
    .searchRead([['subscription_id', 'in', rows.map(({ id }) => id)]], ['subscription_id', 'cursor']);
  const cursors = new Map(progress.map((row) => [row.subscription_id, row]));
  return rows.flatMap((row) => {
    const known = cursors.get(row.id);
    const isThere = env.registry.models.get(row.model)?.quiet === false;
    return known && isThere ? { ...row, progressId: known.id, cursor: known.cursor } : [];
  });
}

type Followed = Awaited<ReturnType<typeof followedNow>>[number];

/** Without a starting position, and when a webhook itself was changed, all of them are checked. */
async function touchedSince(env: Env, models: readonly string[], glance: string | null) {
  const seen = [...new Set([...models, own])];
  const { changes, cursor } = await changesAfter(env, seen, glance ?? 'now', { limit: atOnce }).catch((error) => {
    if (!isLost(error)) throw error;
    glance = null;
    return changesAfter(env, seen, 'now');
  });
  const isClear = glance !== null && !changes.some(({ model }) => model === own);
  const touched = new Set(isClear ? changes.map(({ model }) => model) : models);
  return { models: touched, cursor, isMore: changes.length === atOnce };
}

/** The position is older than the kept changes, or from another history of the database. */
function isLost(error: unknown): boolean {
  return error instanceof KontorError && error.code === 'CONFLICT';
}

const events = { create: 'create', write: 'write', unlink: 'delete' } as const;

/** Whether there may be more. */
async function takeFor(env: Env, one: Followed): Promise<boolean> {
  const owner = await inNameOf(env, one.user_id, one.company_id);
  if (!owner) {
    await pauseFor(env, one.id, 'owner');
    return false;
  }
  try {
    const { changes, cursor } = await changesAfter(owner, one.model, one.cursor, {
      domain: domainOf(one.domain),
      limit: atOnce,
    });
    const watched = new Set(namesOf('watch', one.watch));
    const wanted = changes.filter(
      ({ operation, fields }) =>
        isWanted(one, events[operation]) &&
        (operation !== 'write' || watched.size === 0 || fields.some((name) => watched.has(name))),
    );
    const told = await withoutRepeats(env, one.id, wanted);
    await env.model('webhook.delivery').createMany(
      told.map(({ model, id, operation, fields, at, changeSet }) => ({
        ...{ subscription_id: one.id, key: `msg_${randomUUID().replaceAll('-', '')}`, event: events[operation], model },
        ...{ res_id: id, changed: operation === 'write' ? fields : null, change_set: changeSet, happened_at: at },
        ...{ next_try: env.now.toISOString(), host: URL.canParse(one.url) ? new URL(one.url).host : null },
      })),
    );
    if (told.length > 0) wakeQueue(env, 'webhook.delivery');
    if (cursor !== one.cursor) await env.model('webhook.progress').write([one.progressId], { cursor });
    return changes.length === atOnce;
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    if (isLost(error)) await beginFromNow(env, [one.id]);
    else await pauseFor(env, one.id, 'rights');
    return false;
  }
}

type Changes = Awaited<ReturnType<typeof changesAfter>>['changes'];

/** The feed reports a deleted record for each earlier change: it is sent once. */
async function withoutRepeats(env: Env, subscriptionId: number, changes: Changes): Promise<Changes> {
  const gone = new Set(changes.filter(({ operation }) => operation === 'unlink').map(({ id }) => id));
  if (gone.size === 0) return changes;
  const before = await env.model('webhook.delivery').searchRead(
    [
      ['subscription_id', '=', subscriptionId],
      ['res_id', 'in', [...gone]],
    ],
    ['res_id', 'event'],
    { order: 'id' },
  );
  const last = new Map<number, string>(before.map(({ res_id, event }) => [res_id, event]));
  return changes.filter(({ id, operation }) => {
    const isRepeat = operation === 'unlink' && last.get(id) === 'delete';
    last.set(id, events[operation]);
    return !isRepeat;
  });
}

function isWanted(one: Followed, event: 'create' | 'write' | 'delete'): boolean {
  return { create: one.on_create, write: one.on_write, delete: one.on_delete }[event];
}
