import { type Cell, type Sql, sql } from '@kontor/database';
import { invalidArgs, type LruCache, lruCache } from '@kontor/protocol';
import { checkFieldRead } from '../access/field-access.ts';
import { checkModelAccess, mayAccessModel } from '../access/model-access.ts';
import { rightsNumber } from '../access/rights-number.ts';
import { createCompiler } from '../domain/compile-domain.ts';
import { knownField } from '../domain/known-field.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Model, Registry } from '../model/model.ts';
import type { LoadOptions } from '../model/records.ts';
import { fetchPlanned, statementById } from './fetch-by-ids.ts';
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
  const { inWords = false, ...missing } = options;
  return (await fetchRecords({ env, reader: null, model, paths, inWords }, ids, missing)).records;
}

interface Seen {
  readonly records: readonly LoadedRecord[];
  /** Ids of the records that the reader may read. */
  readonly readable: ReadonlySet<number>;
}

/** Loads with the rights of `env`, and determines in the same statement which of the records another user may read. */
export async function loadSeenBy(
  reader: Env,
  env: Env,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
): Promise<Seen> {
  const { rows, records, verdict } = await fetchRecords({ env, reader, model, paths, inWords: false }, ids, {
    missing: 'skip',
  });
  const isReadable = (row: readonly Cell[]) => verdict === null || row[verdict] === true;
  const seen = mayAccessModel(reader, model, 'read') ? rows.filter(isReadable) : [];
  return { records, readable: new Set(seen.map(([id]) => id as number)) };
}

interface Loading {
  readonly env: Env;
  /** The other user. */
  readonly reader: Env | null;
  readonly model: Model;
  readonly paths: readonly string[];
  readonly inWords: boolean;
}

interface LoadPlan extends Pick<Plan, 'outputs' | 'lines' | 'computed'> {
  /** With a slot for the ids. */
  readonly statement: Sql;
  /** The column that says whether the reader may read the record; null: all of them. */
  readonly verdict: number | null;
}

async function fetchRecords(loading: Loading, ids: readonly number[], options: LoadOptions) {
  const { env, model } = loading;
  const plan = keptPlan(loading);
  const rows = await fetchPlanned(env, model, { statement: plan.statement, ids, ...options });
  const records: LoadedRecord[] = buildRecords(plan, rows, await fetchExtras(env, plan, rows));
  return { rows, records, verdict: plan.verdict };
}

/** By registry, paths and rights: computes and constraints load the same paths again and again. */
const kept = new WeakMap<Registry, LruCache<string, LoadPlan>>();
const maxPlans = 2_000;

function keptPlan(loading: Loading): LoadPlan {
  const { env, reader, model, paths, inWords } = loading;
  const known = kept.get(env.registry) ?? lruCache<string, LoadPlan>(maxPlans);
  kept.set(env.registry, known);
  const rights = env.isSudo ? 'server' : `${env.isOutside} ${env.scope?.key ?? ''}`;
  const asked = reader && !reader.isSudo ? `for ${reader.scope?.key ?? ''}` : '';
  const key = `${rightsNumber(env)} ${rights} ${asked} ${inWords} ${model.name} ${paths.join()}`;
  const found = known.get(key);
  if (found) return found;
  const { plan, isKept } = makeLoadPlan(loading);
  if (isKept) known.set(key, plan);
  return plan;
}

function makeLoadPlan({ env, reader, model, paths, inWords }: Loading): {
  readonly plan: LoadPlan;
  readonly isKept: boolean;
} {
  // What is computed from it may be stored, for readers of any language.
  const select = startSelect(env, model, 't', { readsStored: !inWords });
  const { outputs, lines, computed } = makePlan(select, planTree(select, rootTable(select), pathTree(paths)));
  const asking = reader && !reader.isSudo ? createCompiler(reader, select.alias) : null;
  const rule = asking?.rules(model, 'read', select.alias) ?? null;
  const verdict = rule ? addColumn(select, 'verdict', sql`(${rule}) is true`) : null;
  const isKept =
    select.compiler.isCacheable &&
    asking?.isCacheable !== false &&
    lines.every(({ child }) => child?.isCacheable !== false);
  return { plan: { outputs, lines, computed, statement: statementById(select), verdict }, isKept };
}

type PathTree = ReturnType<typeof pathTree>;

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
