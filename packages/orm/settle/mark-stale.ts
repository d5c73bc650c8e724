import { inverseLists } from '../graph/inverse-lists.ts';
import { hopsOf } from '../graph/relation-path.ts';
import type { Env, Field, Model, Registry, Trigger } from '../model/model.ts';
import { addIds } from '../operation/settle-state.ts';
import { type Concern, namesOf, type PlannedWrite, type Steps } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { holdLocked } from '../rows/held-records.ts';
import { computeRows, reachedComputes, rowComputes, rowSources } from './compute-row.ts';
import { dueComputes, dueReaches, type Reach } from './due.ts';
import { lookUp } from './look-up.ts';

interface StaleOptions {
  /** The change is stored already, so the affected records can be looked up once, when the operation ends. */
  readonly isMade?: boolean;
  /** The records are new: records that refer to one of them are marked for referring to it. */
  readonly isNew?: boolean;
  /** The records are about to be deleted: what runs on themselves does not matter. */
  readonly isGone?: boolean;
  readonly except?: (trigger: Trigger) => boolean;
  /** Without it, both. */
  readonly only?: 'computes' | 'constraints';
}

/**
 * Records which stored computes and constraints must run after a change. Called before a change of relations (for the
 * old owners) and after it (for the new ones): one statement per path, for any number of records.
 */
export async function markStale(
  env: Env,
  model: Model,
  ids: readonly number[],
  fieldNames: Iterable<string>,
  options: StaleOptions = {},
): Promise<void> {
  if (ids.length === 0) return;
  const pending = dueReaches(env);
  for (const [key, reach] of reachesOf(env.registry, model.name, fieldNames, options)) {
    if (options.isGone && reach.path.length === 0) continue;
    if (options.isNew && reach.model !== model.name && pointsAt(env.registry, reach)) continue;
    for (const id of ids) reach.ids.add(id);
    const known = pending.get(key);
    if (!options.isMade || reach.path.length === 0) await lookUp(env, reach);
    else if (known) merge(known, reach);
    else pending.set(key, reach);
  }
}

/** Whether such a change makes any of them run; for new records, the relations that may lead somewhere. */
function reachesAny({ env: { registry }, model, operation, fields }: PlannedWrite, only: Kind): boolean {
  const isNew = operation === 'create';
  // Nothing refers to a new record: affected records are those that its relations and lists lead to.
  const leading = operation === 'unlink' ? [...model.fields.values()] : [...fields];
  const names = namesOf(leading.filter(({ spec }) => operation === 'write' || spec.relation !== undefined));
  const isGone = ({ path }: Reach) => operation === 'unlink' && path.length === 0;
  return [...reachesOf(registry, model.name, names, { only }).values()].some(
    (reach) => !isGone(reach) && !(isNew && reach.model !== model.name && pointsAt(registry, reach)),
  );
}

type Kind = NonNullable<StaleOptions['only']>;

/** The steps that record what a change affects, in any records; null: nothing. */
export function reachSteps(write: PlannedWrite, only: Kind): Steps | null {
  const { operation, model, fields } = write;
  if (!reachesAny(write, only)) return null;
  if (operation === 'unlink')
    return { detach: (run) => markStale(run.env, model, run.ids, leadingNames(run), { isGone: true, only }) };
  if (operation === 'create') {
    const options = { isMade: true, isNew: true, only };
    return { after: (run) => markStale(run.env, model, run.ids, leadingNames(run), options) };
  }
  const isLed = [...fields].some(({ kind }) => kind.isToOne);
  return {
    // Records that it referred to before are found while it still does.
    ...(isLed && { row: { kind: 'change', run: (run: WriteRun) => markLeft(run, only) } as const }),
    after({ env, updated, touched, changed, computed }) {
      // Lines record themselves what their owners must compute.
      const ids = only === 'computes' ? updated.map(({ id }) => id) : [...touched];
      const isDone = ({ model: reader, path, field }: Trigger) =>
        reader === model.name && path.length === 0 && computed.has(field);
      return markStale(env, model, ids, changed, { isMade: true, only, except: isDone });
    },
  };
}

/** Relations that lead somewhere from new records, or from deleted ones. */
function leadingNames({ operation, model, changes, changed, linked }: WriteRun): string[] {
  const relations = [...model.fields.values()].filter(({ spec }) => spec.relation !== undefined);
  if (operation === 'create') return namesOf(relations).filter((name) => changed.has(name));
  const isLinked = (field: Field) => model.quiet || [...linked.values()].some((lists) => lists.has(field));
  const isLeading = (field: Field) =>
    field.kind.isToOne
      ? changes.some(({ now }) => now.values.get(field) !== null)
      : field.through !== null && isLinked(field);
  return namesOf(relations.filter((field) => isLeading(field)));
}

function reachesOf(
  registry: Registry,
  model: string,
  fieldNames: Iterable<string>,
  { except, only }: StaleOptions,
): Map<string, Reach> {
  const reaches = new Map<string, Reach>();
  const reachOf = (target: { readonly model: string; readonly path: readonly string[] }): Reach => {
    const key = `${target.model}/${target.path.join('.')}/${model}`;
    const known = reaches.get(key) ?? newReach(target);
    reaches.set(key, known);
    return known;
  };
  for (const name of fieldNames) {
    for (const trigger of only === 'constraints' ? [] : registry.triggers(model, name)) {
      if (!except?.(trigger)) reachOf(trigger).fields.add(trigger.field);
    }
    for (const trigger of only === 'computes' ? none : constraintTriggers(registry, model, name))
      reachOf(trigger).constraints.add(trigger.constraint);
  }
  return reaches;
}

function newReach({ model, path }: { readonly model: string; readonly path: readonly string[] }): Reach {
  return { model, path, fields: new Set(), constraints: new Set(), ids: new Set() };
}

function merge(known: Reach, more: Reach): void {
  for (const field of more.fields) known.fields.add(field);
  for (const constraint of more.constraints) known.constraints.add(constraint);
  for (const id of more.ids) known.ids.add(id);
}

/**
 * Whether the path reaches the changed record through a many2one of another one. Not checked within a model: trees
 * compute as they grow.
 */
function pointsAt(registry: Registry, { model, path }: Reach): boolean {
  return path.length > 0 && hopsOf(registry, registry.model(model), path).at(-1)?.field.kind.isToOne === true;
}

/** A constraint that must be checked after a change: follow `path` backwards to the records to check. */
interface ConstraintTrigger {
  readonly model: string;
  readonly constraint: string;
  readonly path: readonly string[];
}

type Index = ReadonlyMap<string, readonly ConstraintTrigger[]>;
const indexes = new WeakMap<Registry, Index>();
const none: readonly ConstraintTrigger[] = [];

/** Constraints by the field that they are `on`, or by the field of another model that changes the same relation. */
function constraintTriggers(registry: Registry, model: string, field: string): readonly ConstraintTrigger[] {
  let index = indexes.get(registry);
  if (!index) {
    index = buildIndex(registry);
    indexes.set(registry, index);
  }
  return index.get(`${model}.${field}`) ?? none;
}

function buildIndex(registry: Registry): Index {
  const watchers = new Map<Field, string[]>();
  for (const model of registry.models.values()) {
    for (const { name, on } of model.constraints) {
      for (const field of on.flatMap((each) => model.fields.get(each) ?? [])) {
        watchers.set(field, [...(watchers.get(field) ?? []), name]);
      }
    }
  }
  const index = new Map<string, ConstraintTrigger[]>();
  const add = (changed: Field, watched: Field, path: readonly string[]): void => {
    const key = `${changed.model}.${changed.name}`;
    const due = (watchers.get(watched) ?? []).map((constraint) => ({ model: watched.model, constraint, path }));
    if (due.length > 0) index.set(key, [...(index.get(key) ?? []), ...due]);
  };
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      add(field, field, []);
      for (const list of inverseLists(registry, field)) add(field, list.field, [list.field.name]);
    }
  }
  return index;
}

/**
 * Stored computes follow their inputs, here and in other records. New records need every stored compute of their own.
 */
export const computes: Concern = {
  name: 'computes',
  plan(write) {
    const { env, model, operation } = write;
    const own = env.registry.storedComputes(model.name);
    const steps = reachSteps(write, 'computes');
    if (own.length === 0 || operation === 'unlink') return steps;
    if (operation === 'write') return steps && writeSteps(write, own, steps);
    return {
      async after(run) {
        await steps?.after?.(run);
        for (const field of own) addIds(dueComputes(run.env), model.name, field.name, run.ids);
      },
    };
  },
};

/**
 * They are read with the lock of the row, so that it is not locked again to compute them. What its own columns decide is
 * written with the row itself.
 */
function writeSteps({ model, fields }: PlannedWrite, own: readonly Field[], steps: Steps): Steps {
  // Without such a step the row may be locked and updated by one statement: only computes that save another one are worth it.
  const mayBeBehind = steps.row?.kind === 'change';
  const early = reachedComputes(model, rowComputes(model, own, mayBeBehind), fields);
  const reads = [...new Set([...own, ...rowSources(model, early)])];
  const after = (run: WriteRun) => {
    for (const change of run.updated) holdLocked(run.env, model, change);
    return steps.after?.(run);
  };
  if (early.length === 0) return { ...steps, reads, after };
  return {
    ...steps,
    adds: early,
    reads,
    after,
    row: {
      kind: 'change',
      async run(run) {
        await steps.row?.run(run);
        const computed = computeRows(run.env.sudo(), model, early, run.changes);
        run.changes = computed.changes;
        run.computed = computed.names;
      },
    },
  };
}

async function markLeft({ env, model, changes }: WriteRun, only: Kind): Promise<void> {
  const updated = changes.filter(({ changed }) => changed.size > 0);
  const names = new Set(
    updated.flatMap(({ changed }) => [...changed.keys()].filter(({ kind }) => kind.isToOne).map(({ name }) => name)),
  );
  await markStale(
    env,
    model,
    updated.map(({ id }) => id),
    names,
    { only },
  );
}
