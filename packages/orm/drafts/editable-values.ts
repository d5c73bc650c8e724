import { isList } from '../given/check-names.ts';
import { listEdit } from '../given/list-edit.ts';
import { placeSources } from '../graph/state-fields.ts';
import { planMany2many } from '../lists/many2many.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { type Concern, namesOf, type PlannedWrite, type Steps } from '../plan/concern.ts';
import type { ListPlan, LockedRow, RowChange } from '../plan/row-change.ts';
import { pathTree } from '../reading/guard-record.ts';
import { lockedIn } from '../states/check-locks.ts';
import { applyValues, givenNames } from './apply-values.ts';
import { addRoot, type Draft, type DraftNode, openDraft, wireValue } from './draft.ts';
import { sameEditable, sourcesOf } from './editables.ts';
import { asNodes, fill, loadInto } from './fill.ts';

/** Computes the editable fields without a given value, for all new records together. */
async function fillNew(
  env: Env,
  model: Model,
  rows: readonly Record<string, unknown>[],
  fields: readonly Field[],
): Promise<void> {
  const editables = env.registry.editableComputes(model.name);
  const due = fields.filter(({ name }) => rows.some((row) => row[name] === undefined));
  if (due.length === 0) return;
  const draft = openDraft(env);
  const needed = new Set(editables.flatMap((field) => [field.name, ...sourcesOf(field)]));
  const nodes: DraftNode[] = [];
  for (const row of rows) {
    const node = addRoot(draft, model, 0);
    node.pinned = givenNames(row);
    await applyValues(draft, node, Object.fromEntries(Object.entries(row).filter(([name]) => needed.has(name))));
    nodes.push(node);
  }
  await fill(draft, nodes, pathTree(due.map((field) => field.name)));
  for (const [index, row] of rows.entries()) {
    const { computed } = nodes[index] as DraftNode;
    for (const field of due) {
      const value = wireValue(computed.get(field.name));
      if (computed.has(field.name)) row[field.name] = isList(field) ? [['set', value]] : value;
    }
  }
}

/** Editable computes that a change of these fields may affect, directly or indirectly. */
function followersOf(env: Env, model: Model, names: Iterable<string>): readonly Field[] {
  const reached = new Set(names);
  const followers: Field[] = [];
  for (const field of env.registry.editableComputes(model.name)) {
    if (![...sourcesOf(field)].some((name) => reached.has(name))) continue;
    followers.push(field);
    reached.add(field.name);
  }
  return followers;
}

/** The columns that its editable computes read: they are read with the lock of the record. */
function followerColumns(model: Model, followers: readonly Field[]): readonly Field[] {
  const names = new Set(followers.flatMap((field) => [field.name, ...sourcesOf(field)]));
  if (followers.length > 0 && model.states) names.add(model.states.field);
  return [...names].flatMap((name) => {
    const field = model.fields.get(name);
    return field?.column ? [field] : [];
  });
}

interface Followed {
  readonly changes: readonly RowChange[];
  /** The changes of many2manys that are computed. */
  readonly plans: readonly ListPlan[];
}

/**
 * Computes the editable fields that depend on changes: for records whose inputs really change, and that the same call
 * does not set. Their values go into the same statement.
 */
async function followChanges(
  env: Env,
  model: Model,
  changes: readonly RowChange[],
  plans: readonly ListPlan[],
  followers: readonly Field[],
): Promise<Followed> {
  const edited = new Set(plans.flatMap((plan) => plan.changes.map((change) => change.owner)));
  const due = changes.filter(({ id, changed }) => changed.size > 0 || edited.has(id));
  if (due.length === 0 || followers.length === 0) return { changes, plans: [] };
  const draft = openDraft(env);
  const nodes = new Map(due.map((change) => [change.id, startNode(draft, model, change)]));
  await applyLists(draft, model, due, nodes, followers);
  await keepOthersChanges(draft, model, due, nodes, followers);
  await fill(draft, [...nodes.values()], pathTree(followers.map((field) => field.name)));
  return {
    changes: changes.map((change) => withFollowed(change, nodes.get(change.id), followers)),
    plans: await planFollowed(env, due, nodes, followers),
  };
}

function startNode(draft: Draft, model: Model, change: RowChange): DraftNode {
  const node = addRoot(draft, model, change.id);
  for (const [field, value] of change.now.values) node.loaded.set(field.name, asNodes(draft, node, field, value));
  for (const [field, { new: value }] of change.changed) {
    node.given.set(field.name, asNodes(draft, node, field, value));
    node.changed?.add(field.name);
  }
  node.pinned = new Set([...givenNames(change.values), ...lockedIn(model, stateOf(model, change.now))]);
  return node;
}

function stateOf({ states, fields }: Model, { values }: LockedRow): string | null {
  return states ? (values.get(fields.get(states.field) as Field) as string | null) : null;
}

/** The lines after the call, for computes that read them: the stored lists are read for all records at once. */
async function applyLists(
  draft: Draft,
  model: Model,
  changes: readonly RowChange[],
  nodes: ReadonlyMap<number, DraftNode>,
  followers: readonly Field[],
): Promise<void> {
  const read = new Set(followers.flatMap((field) => [...sourcesOf(field)]));
  const lists = [...read].flatMap((name) => {
    const field = model.fields.get(name);
    return field && isList(field) && changes.some((change) => change.values[name] !== undefined) ? [field] : [];
  });
  await loadInto(draft, model, [...nodes.values()], lists);
  for (const { id, values } of changes) {
    const node = nodes.get(id) as DraftNode;
    await applyValues(
      draft,
      node,
      Object.fromEntries(lists.map(({ name }): [string, unknown] => [name, values[name]])),
    );
  }
  for (const field of lists) await noteEdited(draft, field, [...nodes.values()]);
}

/** A list changes if lines are added, removed or changed; commands alone do not tell. */
async function noteEdited(draft: Draft, field: Field, owners: readonly DraftNode[]): Promise<void> {
  const related = draft.env.registry.model(field.spec.relation as string);
  const updated = owners.flatMap((owner) => updatedLines(owner, field));
  const names = new Set(updated.flatMap((line) => [...line.given.keys()]));
  const fields = [...names].flatMap((name) => related.fields.get(name) ?? []);
  await loadInto(draft, related, updated, fields);
  const isOther = (line: DraftNode) =>
    fields.some(({ name }) => line.given.has(name) && !isSameGiven(related.fields.get(name) as Field, line));
  for (const owner of owners) {
    const [before, now] = [owner.loaded, owner.given].map((values) => wireValue(values.get(field.name)) as number[]);
    if (now === null || before === undefined) continue;
    const isEdited = !sameEditable(field, before, now) || updatedLines(owner, field).some(isOther);
    if (isEdited) owner.changed?.add(field.name);
  }
}

function updatedLines(owner: DraftNode, field: Field): readonly DraftNode[] {
  return (owner.edits.get(field.name) ?? []).flatMap(({ command, line }) =>
    command[0] === 'update' && line ? [line] : [],
  );
}

function isSameGiven(field: Field, { loaded, given }: DraftNode): boolean {
  return sameEditable(field, wireValue(loaded.get(field.name)), wireValue(given.get(field.name)));
}

/** With `base`: changes by others in the meantime stay. */
async function keepOthersChanges(
  draft: Draft,
  model: Model,
  changes: readonly RowChange[],
  nodes: ReadonlyMap<number, DraftNode>,
  followers: readonly Field[],
): Promise<void> {
  const based = changes.filter((change) => change.base !== null);
  const lists = followers.filter((field) => isList(field) && based.some(({ base }) => base?.has(field)));
  await loadInto(
    draft,
    model,
    based.map(({ id }) => nodes.get(id) as DraftNode),
    lists,
  );
  for (const { id, base } of based) {
    const node = nodes.get(id) as DraftNode;
    for (const field of followers) {
      const seen = base?.has(field) ? base.get(field) : undefined;
      if (seen === undefined) continue;
      if (!sameEditable(field, wireValue(node.loaded.get(field.name)), seen)) node.pinned.add(field.name);
    }
  }
}

function withFollowed(change: RowChange, node: DraftNode | undefined, followers: readonly Field[]): RowChange {
  const own = followers.filter((field) => field.column !== null && node?.followed.has(field.name));
  if (!node || own.length === 0) return change;
  const changed = new Map<Field, FieldChange>(change.changed);
  for (const field of own) {
    const old = change.now.values.get(field) ?? null;
    changed.set(field, { old, new: wireValue(node.computed.get(field.name)) });
  }
  return { ...change, changed };
}

/** The server decides what is linked, even if the caller may not read it. */
async function planFollowed(
  env: Env,
  changes: readonly RowChange[],
  nodes: ReadonlyMap<number, DraftNode>,
  followers: readonly Field[],
): Promise<ListPlan[]> {
  const plans: ListPlan[] = [];
  for (const field of followers.filter(isList)) {
    const owners = changes.flatMap(({ id, conflicts }, row) => {
      const node = nodes.get(id) as DraftNode;
      if (!node.followed.has(field.name)) return [];
      const ids = wireValue(node.computed.get(field.name)) as readonly number[];
      return [{ id, row, edit: listEdit([['set', ids]]), seen: null, conflicts }];
    });
    const planned = owners.length === 0 ? [] : await planMany2many(env.sudo(), field, owners, 'write');
    if (planned.length > 0) plans.push({ env: env.sudo(), field, changes: planned, isFollowed: true });
  }
  return plans;
}

/** Editable fields that determine the stage are computed before the record moves. */
export const places: Concern = {
  name: 'places',
  plan: (write) =>
    write.operation === 'create'
      ? fillSteps(write, placeSources(write.env.registry, write.model))
      : followSteps(write, earlyFollowers(write)),
};

/** All other editable fields that are not given are computed from what is written. */
export const editables: Concern = {
  name: 'editables',
  plan(write) {
    const { env, model, operation, fields } = write;
    if (operation === 'create') return fillSteps(write, env.registry.editableComputes(model.name));
    const early = earlyFollowers(write);
    return followSteps(
      write,
      followersIn(write, fields).filter((field) => !early.includes(field)),
    );
  },
};

function earlyFollowers(write: PlannedWrite): readonly Field[] {
  const sources = write.operation === 'write' ? placeSources(write.env.registry, write.model) : [];
  return sources.length === 0 ? [] : followersIn(write, write.given).filter((field) => sources.includes(field));
}

/** Editable computes that a change of these fields may affect, and that some row does not set itself. */
function followersIn(
  { env, model, operation, purpose, always }: PlannedWrite,
  written: ReadonlySet<Field>,
): readonly Field[] {
  if (operation !== 'write' || purpose === 'restore') return [];
  return followersOf(env, model, namesOf(written)).filter((field) => !always.has(field));
}

/** For new records, all fields that are not given. */
function fillSteps({ model, purpose, always }: PlannedWrite, filling: readonly Field[]): Steps | null {
  if (filling.length === 0) return null;
  if (purpose === 'restore') return {};
  return {
    adds: filling.filter((field) => !always.has(field)),
    before: ({ env, rows }) =>
      fillNew(
        env,
        model,
        rows.map(({ values }) => values as Record<string, unknown>),
        filling,
      ),
  };
}

function followSteps({ model }: PlannedWrite, followers: readonly Field[]): Steps | null {
  if (followers.length === 0) return null;
  return {
    adds: followers,
    reads: followerColumns(model, followers),
    row: {
      kind: 'change',
      async run(run) {
        const { env, changes, lists } = run;
        const given = lists.filter((plan) => !plan.isFollowed);
        const followed = await followChanges(env, model, changes, given, followers);
        run.changes = followed.changes;
        run.lists = [...lists, ...followed.plans];
      },
    },
  };
}
