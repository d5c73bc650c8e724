import { sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import { checkFieldRead } from '../access/field-access.ts';
import { checkModelAccess, mayAccessModel } from '../access/model-access.ts';
import { knownField } from '../domain/known-field.ts';
import { rulePredicate } from '../domain/rule-predicate.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Model } from '../model/model.ts';
import type { LoadOptions } from '../model/records.ts';
import { fetchByIds } from './fetch-by-ids.ts';
import { pathTree } from './guard-record.ts';
import { buildRecords } from './projection/build-records.ts';
import { fetchExtras } from './projection/fetch-extras.ts';
import { makePlan, type Output, type Plan } from './projection/plan.ts';
import { planCell, planComputed, planLines } from './projection/plan-field.ts';
import {
  addColumn,
  checkReachable,
  fieldColumn,
  isComputedOnRead,
  type JoinedTable,
  joinRelation,
  rootTable,
  type Select,
  startSelect,
} from './select.ts';

/** Records for server code with the given paths nested: many2ones are records or null, x2many arrays of records. */
export async function load(
  env: Env,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedRecord[]> {
  checkModelAccess(env, model, 'read');
  const plan = planLoad(startSelect(env, model), paths);
  const rows = await fetchByIds(plan.select, ids, options);
  return buildRecords(plan, rows, await fetchExtras(env, plan, rows));
}

interface Seen {
  readonly records: readonly LoadedRecord[];
  /** Ids of those that the reader may read. */
  readonly readable: ReadonlySet<number>;
}

/** Loads with the rights of `env`, and finds out in the same statement which of the records somebody else may read. */
export async function loadSeenBy(
  reader: Env,
  env: Env,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
): Promise<Seen> {
  const select = startSelect(env, model);
  const plan = planLoad(select, paths);
  const rule = reader.isSudo ? null : rulePredicate(reader, model, 'read', select.alias);
  const verdict = rule ? addColumn(select, 'verdict', sql`(${rule}) is true`) : null;
  const rows = await fetchByIds(select, ids, { missing: 'skip' });
  const seen = mayAccessModel(reader, model, 'read')
    ? rows.filter((row) => verdict === null || row[verdict] === true)
    : [];
  const records = buildRecords(plan, rows, await fetchExtras(env, plan, rows));
  return { records, readable: new Set(seen.map(([id]) => id as number)) };
}

type PathTree = ReturnType<typeof pathTree>;

/** Plans the nested form that server code reads: many2ones are records or null, x2many arrays of records. */
function planLoad(select: Select, paths: readonly string[]): Plan {
  return makePlan(select, planTree(select, rootTable(select), pathTree(paths)));
}

function planTree(select: Select, table: JoinedTable, tree: PathTree): readonly Output[] {
  const outputs: Output[] = [];
  for (const [name, below] of tree) {
    if (name !== 'id') outputs.push(planBranch(select, table, name, below));
  }
  return outputs;
}

function planBranch(select: Select, table: JoinedTable, name: string, below: PathTree): Output {
  const field = knownField(table.model, name);
  checkFieldRead(select.env, field);
  checkReachable(table, field);
  if (isComputedOnRead(field) && below.size === 0) {
    return planComputed(select, table, field, { key: name, asRecords: true });
  }
  if (field.kind.isList) {
    if (below.size === 0) return planLines(select, table, field, { key: name, asIds: false });
    const planChild = (lines: Select) => planTree(lines, rootTable(lines), below);
    return planLines(select, table, field, { key: name, asIds: false, planChild });
  }
  if (field.kind.isToOne) {
    const index = fieldColumn(select, table, field);
    const outputs = below.size === 0 ? [] : planTree(select, joinRelation(select, table, field), below);
    return { type: 'record', key: name, index, outputs };
  }
  if (below.size > 0) {
    throw invalidArgs(`${table.prefix}${name} of ${select.model.name} is not a relation.`, { field: name });
  }
  return planCell(select, table, field, name);
}
