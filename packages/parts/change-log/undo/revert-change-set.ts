import { sql } from '@kontor/database';
import { inSavepoint, workState } from '@kontor/kernel';
import {
  checkRecords,
  type Env,
  type Field,
  type Model,
  mayAccessModel,
  mayReadEverywhere,
  type RowWrite,
} from '@kontor/orm';
import { KontorError, type Text, text, UserError } from '@kontor/protocol';
import { checkSettled } from './check-settled.ts';
import { idsByModel, type NetChange, netChanges, parts } from './kept-changes.ts';
import {
  findDifferentValues,
  findLaterAttachments,
  findLaterChanges,
  lockRecords,
  type Touch,
} from './touched-since.ts';

const memoKey = 'undo.reverts';

/** Sets that the running unit of work takes back. */
export function revertedSets(memo: ReadonlyMap<string, unknown>): readonly number[] {
  return (memo.get(memoKey) as readonly number[] | undefined) ?? [];
}

/**
 * Takes several back together, the last one first: all of them, or none where anything was touched since. The error then
 * names the records of all of them.
 */
export async function revertChangeSets(env: Env, ids: readonly number[]): Promise<void> {
  const [first, ...others] = [...new Set(ids)].sort((a, b) => b - a);
  if (first === undefined) return;
  if (others.length === 0) return revertChangeSet(env, first);
  const conflicts: KontorError[] = [];
  for (const id of [first, ...others]) {
    await inSavepoint(env, () => revertChangeSet(env, id)).catch((error: unknown) => {
      if (!(error instanceof KontorError) || error.code !== 'CONFLICT') throw error;
      conflicts.push(error);
    });
  }
  const [conflict] = conflicts;
  if (!conflict) return;
  const all = conflicts.flatMap(({ wordedDetails }) => wordedDetails.records as readonly ToldRecord[]);
  // A record that is stuck in one is stuck in those before it, by what nobody else did.
  const records = [...new Map(all.toReversed().map((record) => [`${record.model},${record.id}`, record])).values()];
  const told = records.toReversed().slice(0, maxListed);
  throw new KontorError('CONFLICT', conflict.words, { records: told, more: records.length > maxListed });
}

interface ToldRecord {
  readonly model: string;
  readonly id: number;
}

/**
 * Takes back what one call did, in the caller's name and under their right to write the records; moves and editable computes have
 * no say, and locks only where the call did not make the state that locks. All or nothing: when a record was touched since, or something was hung on what the call made,
 * nothing is changed and the error says which and by whom.
 */
export async function revertChangeSet(env: Env, setId: number): Promise<void> {
  const [set] = await env.db.query<{ reverted: boolean; is_final: boolean; agent: string | null; user_id: number }>(
    sql`select reverted, is_final, agent, user_id from sys_change_set where id = ${setId}::int4 for update`,
  );
  const agent = workState(env.work)?.purpose.agent ?? null;
  if (agent !== null && (set?.agent !== agent || set.user_id !== env.uid)) {
    throw new UserError('An agent can undo only its own changes.');
  }
  if (set?.is_final) throw new UserError('This has affected others, so it cannot be undone.');
  if (set?.reverted) throw new UserError('This change has already been undone.');
  const changes = await netChanges(env.db, env.registry, setId);
  if (changes.length === 0) throw new UserError('This change is no longer kept.');
  await lockRecords(env, changes);
  await checkUntouched(env, setId, changes);
  await checkSettled(env, changes);
  await recreateRemoved(env, changes);
  await restoreWritten(env, changes);
  await removeCreated(env, changes);
  await restoreAgain(env, changes);
  env.work.memo.set(memoKey, [...revertedSets(env.work.memo), setId]);
  await noteReverted(env, setId);
}

/** What the set had taken back holds again, and what that had taken back does not, and so on. */
async function noteReverted(env: Env, setId: number): Promise<void> {
  await env.db.execute(sql`
    with recursive chain(id, reverted) as (
      select ${setId}::int4, true
      union all
      select s.id, not chain.reverted from sys_change_set s join chain on s.reverted_by_id = chain.id
    )
    update sys_change_set s set reverted = chain.reverted, write_date = now() from chain where s.id = chain.id`);
}

async function checkUntouched(env: Env, setId: number, changes: readonly NetChange[]): Promise<void> {
  const { touches, transactions } = await findLaterChanges(env.db, env.registry, setId, changes);
  const attached = await findLaterAttachments(env, changes, transactions);
  const known = [...touches, ...attached];
  const all = known.length > 0 ? known : await findDifferentValues(env, changes);
  if (all.length > 0) throw await undoConflict(env, all);
}

/** Records that the set removed: what was removed last comes back first, since others point at it. */
async function recreateRemoved(env: Env, changes: readonly NetChange[]): Promise<void> {
  const gone = changes.filter((change) => change.wasThere && !change.isThere).sort((a, b) => b.removed - a.removed);
  const waiting = new Set(gone.map(({ model, id }) => `${model.name},${id}`));
  const later: NetChange[] = [];
  for (const [model, own] of byModel(gone)) {
    for (const { id } of own) waiting.delete(`${model.name},${id}`);
    const rows = own.map((change) => {
      const [now, then] = split(change.old, (field, value) => {
        return field.kind.isToOne && !field.required && waiting.has(`${field.spec.relation},${value}`);
      });
      if (then.size > 0) later.push({ ...change, old: then });
      return { ...valuesOf(now), id: change.id };
    });
    const actor = await actorFor(env, model, 'create', () => own.map(({ old }) => wholeIn(model, old)));
    for (const part of parts(rows)) {
      await actor.model(model.name).createMany(part, { granted: [...model.fields.keys()], restores: true });
    }
  }
  await writeOld(env, later);
}

/** Records that the set wrote have again what they had. */
async function restoreWritten(env: Env, changes: readonly NetChange[]): Promise<void> {
  await writeOld(
    env,
    changes.filter((change) => change.wasThere && change.isThere && change.old.size > 0),
  );
}

/** Records that the set made: the last ones go first. Code of the addon may have removed some when the others were restored. */
async function removeCreated(env: Env, changes: readonly NetChange[]): Promise<void> {
  const made = changes.filter((change) => !change.wasThere).sort((a, b) => b.made - a.made);
  for (const [model, ids] of idsByModel(made)) {
    const server = env.sudo().model(model.name);
    const there = new Set(await server.search([['id', 'in', ids], ...(model.hasActive ? [anyActive] : [])]));
    const left = ids.filter((id) => there.has(id));
    const actor = await actorFor(env, model, 'unlink', async () => {
      const rows = await server.read(left, [model.partOf as string]);
      return rows.map((row) => row[model.partOf as string] as number);
    });
    for (const part of parts(left)) await actor.model(model.name).unlink(part, { restores: true });
  }
}

/** Hooks that ran while something was still missing may have changed what was already back. */
async function restoreAgain(env: Env, changes: readonly NetChange[]): Promise<void> {
  const back = changes.filter(({ wasThere }) => wasThere);
  const different = await findDifferentValues(
    env,
    back.map((change) => ({ ...change, isThere: true, new: change.old })),
  );
  const keys = new Set(
    different.flatMap(({ model, id, fields }) => (fields.length > 0 ? [`${model.name},${id}`] : [])),
  );
  await writeOld(
    env,
    back.filter(({ model, id }) => keys.has(`${model.name},${id}`)),
  );
}

const anyActive = ['active', 'in', [true, false]] as const;

/**
 * Lines that only the server makes and removes, such as the attendees of a meeting, come and go with a change of their record: whoever may write
 * that one may undo it.
 */
async function actorFor(
  env: Env,
  model: Model,
  operation: 'create' | 'unlink',
  wholes: () => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<Env> {
  const link = model.partOf === null ? undefined : model.fields.get(model.partOf);
  if (link === undefined || mayAccessModel(env, model, operation)) return env;
  const whole = env.registry.model(link.spec.relation as string);
  if (!mayAccessModel(env, whole, 'write')) return env;
  const ids = [...new Set(await wholes())].filter((id) => typeof id === 'number');
  await checkRecords(env, whole, ids, 'write');
  return env.sudo();
}

function wholeIn({ partOf }: Model, old: ReadonlyMap<Field, unknown>): unknown {
  return [...old].find(([field]) => field.name === partOf)?.[1];
}

async function writeOld(env: Env, changes: readonly NetChange[]): Promise<void> {
  for (const [model, own] of byModel(changes)) {
    const rows = own.map(({ id, old }): RowWrite => ({ id, values: valuesOf(old) }));
    for (const part of parts(rows)) {
      await env.model(model.name).writeEach(part, { granted: [...model.fields.keys()], restores: true });
    }
  }
}

function valuesOf(old: ReadonlyMap<Field, unknown>): Record<string, unknown> {
  const values = [...old].map(([field, value]) => [field.name, field.through ? [['set', value ?? []]] : value]);
  return Object.fromEntries(values);
}

function byModel(changes: readonly NetChange[]): ReadonlyMap<Model, readonly NetChange[]> {
  const groups = new Map<Model, NetChange[]>();
  for (const change of changes) groups.set(change.model, [...(groups.get(change.model) ?? []), change]);
  return groups;
}

function split(
  old: ReadonlyMap<Field, unknown>,
  isLater: (field: Field, value: unknown) => boolean,
): readonly [Map<Field, unknown>, Map<Field, unknown>] {
  const entries = [...old];
  const later = entries.filter(([field, value]) => isLater(field, value));
  return [new Map(entries.filter((entry) => !later.includes(entry))), new Map(later)];
}

/** So many are told one by one. */
const maxListed = 20;

/** Which records cannot be taken back and who stands in the way, as far as the caller may see them. */
async function undoConflict(env: Env, touches: readonly Touch[]): Promise<KontorError> {
  const told = touches.slice(0, maxListed);
  const nameOf = await recordNames(env, told);
  const users = await userNames(env, told);
  // The record was the caller's to change; what has become of it since is told as far as they may read it.
  const seen = told.map((touch) => visiblePart(env, touch, nameOf(touch) !== null));
  const records = seen.map((touch) => {
    const { model, id, userId, fields, attached } = touch;
    const by = userId === null ? null : { id: userId, name: users.get(userId) ?? null };
    return {
      ...{ model: model.name, id, name: nameOf(touch), by, fields },
      ...(attached ? { attached: attached.name } : {}),
    };
  });
  const [first] = seen as [Touch];
  return new KontorError('CONFLICT', words(first, nameOf(first), users), { records, more: touches.length > maxListed });
}

function visiblePart(env: Env, touch: Touch, isReadable: boolean): Touch {
  const { model, fields, attached, userId } = touch;
  const open = isReadable
    ? fields.filter((name) => {
        const field = model.fields.get(name);
        return field !== undefined && mayReadEverywhere(env, field);
      })
    : [];
  // What is said about a record is read with it.
  const isOpen = attached !== null && (attached.about || mayAccessModel(env, attached, 'read'));
  const shown = isReadable && isOpen ? attached : null;
  // Who did something that the caller may see nothing of is not told either.
  const isTold = isReadable && (fields.length === 0 ? attached === null || shown !== null : open.length > 0);
  return { ...touch, fields: open, attached: shown, userId: isTold ? userId : null };
}

function words(touch: Touch, name: string | null, users: ReadonlyMap<number, string>): Text {
  const record = name ?? `${touch.model.label} ${touch.id}`;
  const user = touch.userId === null ? undefined : users.get(touch.userId);
  if (touch.attached) {
    const what = touch.attached.label;
    return user === undefined
      ? text('This cannot be undone: something has been added to {record} since ({what}).', { record, what })
      : text('This cannot be undone: {user} has added something to {record} since ({what}).', {
          user,
          record,
          what,
        });
  }
  return user === undefined
    ? text('This cannot be undone: {record} has been changed since.', { record })
    : text('This cannot be undone: {user} has changed {record} since.', { user, record });
}

async function recordNames(env: Env, touches: readonly Touch[]): Promise<(touch: Touch) => string | null> {
  const names = new Map<string, string>();
  for (const model of new Set(touches.map((touch) => touch.model))) {
    const ids = [...new Set(touches.filter((touch) => touch.model === model).map(({ id }) => id))];
    const rows = await env
      .model(model.name)
      .searchRead([['id', 'in', ids]], ['display_name'])
      .catch((error: unknown) => {
        if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return [];
        throw error;
      });
    for (const row of rows) names.set(`${model.name},${row.id}`, String(row.display_name ?? ''));
  }
  return ({ model, id }) => names.get(`${model.name},${id}`) ?? null;
}

/** Who works beside one is no secret, whatever else of people is. */
async function userNames(env: Env, touches: readonly Touch[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(touches.flatMap(({ userId }) => userId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', 'in', ids]], ['name']);
  return new Map(rows.map((row) => [row.id, String(row.name)]));
}
