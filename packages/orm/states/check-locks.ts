import { ident, sql } from '@kontor/database';
import { accessDenied, type Text, text, UserError } from '@kontor/protocol';
import { mayAccessModel } from '../access/model-access.ts';
import { ruleRefusals } from '../access/refusals.ts';
import { lockedLists } from '../graph/locked-lists.ts';
import { stateFields } from '../graph/state-fields.ts';
import type { Env, Field, Model, States } from '../model/model.ts';
import { leaveRowCache } from '../model/row-cache.ts';
import { rememberState, stateBefore } from '../operation/states-before.ts';
import type { Concern, RowSql, Steps } from '../plan/concern.ts';
import type { ListPlan, RowChange } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { search } from '../reading/search.ts';
import { nameOf, valueLabel } from './move-words.ts';

/** Names of fields that cannot change in a state. */
export function lockedIn(model: Model, state: string | null | undefined): ReadonlySet<string> {
  return model.states?.locks.get(state ?? '') ?? nothing;
}
const nothing: ReadonlySet<string> = new Set();

/**
 * Rejects changes of fields that are locked in the state in which the operation found a record. `asked` are the fields
 * that the caller changes; their consequences, and what a move sets, are allowed.
 */
async function checkLocks(
  env: Env,
  model: Model,
  rows: readonly { readonly change: RowChange; readonly asked: Iterable<Field> }[],
): Promise<void> {
  const fields = stateFields(model);
  if (fields === null || env.isSudo || model.states?.locks.size === 0) return;
  for (const { change, asked } of rows) {
    const now = (change.now.values.get(fields.state) ?? null) as string | null;
    rememberState(env, model, change.id, now);
    const state = stateBefore(env, model, change.id) ?? null;
    const locked = lockedIn(model, state);
    const refused = [...asked].filter((field) => locked.has(field.name));
    if (refused.length > 0) throw await lockedError(env, model, change.id, state, refused);
  }
}

/** Says what is locked, and which moves lead to a state in which it can be changed. */
async function lockedError(
  env: Env,
  model: Model,
  id: number,
  state: string | null,
  fields: readonly Field[],
): Promise<UserError> {
  const names = fields.map((field) => field.name);
  const said = text('{name} is {state}: {fields} cannot be changed. {hint}', {
    name: await nameOf(env, model, id),
    state: valueLabel(model, state),
    fields: fields.map((field) => field.label).join(', '),
    hint: movesToUnlock(model.states as States, state, names),
  });
  return new UserError(said, { model: model.name, id, field: model.states?.field, state, fields: names });
}

/** The labels of the fewest moves to a state in which the fields are not locked. */
function movesToUnlock(states: States, from: string | null, names: readonly string[]): Text {
  const ways: { readonly state: string; readonly labels: readonly string[] }[] = [{ state: from ?? '', labels: [] }];
  const seen = new Set(ways.map(({ state }) => state));
  const moves = [...states.moves.values()].flat();
  for (const { state, labels } of ways) {
    const locked = states.locks.get(state);
    if (!names.some((name) => locked?.has(name))) {
      return text('To change it: {moves}.', { moves: labels.map((label) => `"${label}"`).join(', ') });
    }
    for (const move of moves.filter((each) => each.from.has(state) && !seen.has(each.to))) {
      seen.add(move.to);
      ways.push({ state: move.to, labels: [...labels, move.label] });
    }
  }
  return text('It stays as it is.');
}

/** Rejects without revealing anything about a record that the caller may not read. */
async function refuseLocked(
  env: Env,
  parent: { readonly model: Model; readonly id: number; readonly state: string | null; readonly list: Field },
  line: { readonly model: Model; readonly operation: 'create' | 'write' | 'unlink' },
): Promise<never> {
  const { model, id, state, list } = parent;
  if (await mayRead(env, model, id)) throw await lockedError(env, model, id, state, [list]);
  throw accessDenied(line.model.name, line.operation, 'rule', {
    message: ruleRefusals[line.operation]({ model: line.model.label }),
  });
}

async function mayRead(env: Env, model: Model, id: number): Promise<boolean> {
  return mayAccessModel(env, model, 'read') && (await search(env, model, [['id', '=', id]])).length > 0;
}

/**
 * Lines are locked with their list: none is added, changed or removed. `parentsOf` returns the previous and current
 * owners of the lines. The records are locked in id order, so that none changes its state meanwhile.
 */
async function checkLineLocks(
  env: Env,
  model: Model,
  operation: 'create' | 'write' | 'unlink',
  parentsOf: (inverse: Field) => Iterable<unknown>,
): Promise<void> {
  const lists = env.isSudo ? [] : lockedLists(env.registry, model);
  for (const { inverse, parent, list } of lists) {
    const ids = [...new Set(parentsOf(inverse))].filter((id) => typeof id === 'number');
    await readStates(env, parent, ids);
    for (const id of ids) {
      const state = stateBefore(env, parent, id) ?? null;
      if (!lockedIn(parent, state).has(list.name)) continue;
      await refuseLocked(env, { model: parent, id, state, list }, { model, operation });
    }
  }
}

async function readStates(env: Env, parent: Model, ids: readonly number[]): Promise<void> {
  const unknown = ids.filter((id) => stateBefore(env, parent, id) === undefined);
  if (unknown.length === 0) return;
  leaveRowCache(env, parent);
  const rows = await env.db.arrays(sql`
    select id, ${ident(parent.states?.field ?? '')} from ${ident(parent.table)}
    where id = any(${unknown}::int4[]) order by id for no key update`);
  for (const [id, state] of rows) rememberState(env, parent, id as number, state as string | null);
}

/** Some states lock fields, and with a list its lines. */
export const locks: Concern = {
  name: 'locks',
  plan({ env, model, operation, purpose, given }) {
    if (env.isSudo || purpose === 'restore') return null;
    const lists = lockedLists(env.registry, model);
    const state = stateFields(model)?.state;
    const isLocking = state !== undefined && (model.states?.locks.size ?? 0) > 0;
    if (operation !== 'write') return lists.length === 0 ? null : operation === 'create' ? newLines : goneLines;
    if (lists.length === 0 && !isLocking) return null;
    const closed = statesThatLock(model, given);
    const holds = ({ old }: RowSql) =>
      state && closed.length > 0 ? [sql`(${old(state)} = any(${closed}::text[])) is not true`] : [];
    return {
      reads: [...(isLocking ? [state] : []), ...lists.map(({ inverse }) => inverse)],
      // The state of a line's owner is in another row.
      ...(lists.length === 0 && { statement: () => ({ holds }) }),
      // The error names the record as it was, so a new name must not be stored yet.
      row: { kind: isLocking && isNamedBy(model, given) ? 'change' : 'check', run: checkAsked },
    };
  },
};

const newLines: Steps = {
  after: ({ env, model, changes }) =>
    checkLineLocks(env, model, 'create', (link) => changes.map(({ cast }) => cast.columns.get(link))),
};

/** Lines of a record that is deleted itself are not checked. */
const goneLines: Steps = {
  row: {
    kind: 'check',
    run: ({ env, model, changes, going }) =>
      checkLineLocks(env, model, 'unlink', (link) => {
        const gone = going.get(env.registry.model(link.spec.relation as string));
        return changes.map(({ now }) => now.values.get(link)).filter((id) => !gone?.has(id as number));
      }),
  },
};

function statesThatLock({ states }: Model, fields: ReadonlySet<Field>): readonly string[] {
  const isClosed = ([, names]: readonly [string, ReadonlySet<string>]) =>
    [...fields].some(({ name }) => names.has(name));
  return [...(states?.locks ?? [])].filter(isClosed).map(([state]) => state);
}

function isNamedBy({ displayName }: Model, fields: ReadonlySet<Field>): boolean {
  const named = new Set(displayName.map((part) => ('path' in part ? part.path[0] : undefined)));
  return [...fields].some(({ name }) => named.has(name));
}

/** Rejects changes of locked fields, in the records or in the lists that they are lines of. */
async function checkAsked({ env, model, asked, lists }: WriteRun): Promise<void> {
  const rows = asked.map((change) => ({ change, asked: askedFields(change, lists) }));
  await checkLocks(env, model, rows);
  const touched = rows.filter((row) => row.asked.length > 0).map((row) => row.change);
  await checkLineLocks(env, model, 'write', (link) =>
    touched.flatMap(({ now, changed }) => [now.values.get(link), changed.get(link)?.new]),
  );
}

/** The fields that the caller changes. Lines of one2manys are checked when they are written. */
function askedFields({ id, changed }: RowChange, lists: readonly ListPlan[]): Field[] {
  const edited = lists.filter(
    ({ field, changes, isFollowed }) =>
      !isFollowed && field.through !== null && changes.some((each) => each.owner === id),
  );
  return [...changed.keys(), ...edited.map(({ field }) => field)].filter(({ spec }) => !spec.unlocked);
}
