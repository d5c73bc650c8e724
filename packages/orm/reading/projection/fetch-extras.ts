import { type Cell, empty, ident, join, type Sql, sql } from '@kontor/database';
import { castResult, computeContext } from '../../computing/compute-of.ts';
import type { ComputeByValue, LoadedRecord } from '../../model/behaviour.ts';
import type { Env, Field, Model } from '../../model/model.ts';
import { guardRecord, isStrictAboutPaths } from '../guard-record.ts';
import { orderTerms } from '../order.ts';
import { selectFrom } from '../select.ts';
import type { CellOutput, ComputedOutput, LinesOutput, Plan } from './plan.ts';

export type Rows = readonly (readonly Cell[])[];

/** What is not in the rows: lines by owner, and computed values by record. */
export interface Extras {
  readonly lines: ReadonlyMap<LinesOutput, Lines>;
  readonly computed: ReadonlyMap<ComputedOutput, ValuesById>;
}
export interface Lines {
  readonly rows: Rows;
  readonly extras: Extras;
}

const noExtras: Extras = { lines: new Map(), computed: new Map() };
export const noLines: Lines = { rows: [], extras: noExtras };

/** One statement per x2many and per model of computes that read through relations; never one per row. */
export async function fetchExtras(env: Env, plan: Plan, rows: Rows): Promise<Extras> {
  if (plan.lines.length === 0 && plan.computed.length === 0) return noExtras;
  const lines = new Map<LinesOutput, Lines>();
  for (const output of plan.lines) lines.set(output, await fetchLines(env, output, rows));
  return { lines, computed: await fetchComputed(env, plan.computed, rows) };
}

async function fetchLines(env: Env, output: LinesOutput, rows: Rows): Promise<Lines> {
  const owners = idsIn(rows, output.owner);
  if (!output.child || owners.length === 0) return noLines;
  const lineRows = await env.db.arrays(linesStatement(output, output.child, owners));
  return { rows: lineRows, extras: await fetchExtras(env, output.child, lineRows) };
}

function linesStatement(output: LinesOutput, child: Plan, owners: readonly number[]): Sql {
  const { select } = child;
  const order = orderTerms(select, undefined);
  const rule = select.compiler.rules(select.model, 'read', select.alias);
  const table = sql`${ident(select.model.table)} ${ident(select.alias)}`;
  const { through } = output.field;
  const source = through
    ? sql`${ident(through.table)} r join ${table} on ${ident(select.alias, 'id')} = ${ident('r', through.other)}`
    : table;
  const owner = select.columns[output.childOwner] as Sql;
  return selectFrom(
    select,
    source,
    sql` where ${owner} = any(${owners}::int4[])${rule ? sql` and ${rule}` : empty} order by ${join(order)}`,
  );
}

async function fetchComputed(
  env: Env,
  outputs: readonly ComputedOutput[],
  rows: Rows,
): Promise<Map<ComputedOutput, ValuesById>> {
  const values = new Map<ComputedOutput, ValuesById>();
  const together = new Map<number, ComputedOutput[]>();
  for (const output of outputs) {
    if (output.inputs) values.set(output, computeFromRows(env, output, output.inputs, rows));
    else together.set(output.owner, [...(together.get(output.owner) ?? []), output]);
  }
  for (const [owner, group] of together) {
    const { model } = group[0] as ComputedOutput;
    const fields = group.map((output) => output.field);
    const byField = await computeValues(env, model, idsIn(rows, owner), fields);
    for (const output of group) values.set(output, byField.get(output.field.name) as ValuesById);
  }
  return values;
}

function computeFromRows(env: Env, output: ComputedOutput, inputs: readonly CellOutput[], rows: Rows): ValuesById {
  const compute = computerOf(env, output.field);
  const values = new Map<number, unknown>();
  for (const row of rows) {
    const id = row[output.owner] as number | null;
    if (id === null || values.has(id)) continue;
    const record: Record<string, unknown> & LoadedRecord = { id };
    for (const { key, index, field } of inputs) {
      const cell = row[index] as Cell;
      const isRelation = field.kind.isToOne;
      Object.assign(record, { [key]: isRelation ? cell && { id: cell } : field.kind.fromCell(cell) });
    }
    values.set(id, compute(record));
  }
  return values;
}

function idsIn(rows: Rows, index: number): readonly number[] {
  const ids = new Set<number>();
  for (const row of rows) {
    const id = row[index];
    if (typeof id === 'number') ids.add(id);
  }
  return [...ids];
}

type ComputedField = Field & { readonly compute: ComputeByValue };
type ValuesById = ReadonlyMap<number, unknown>;

/**
 * Values of computed fields for many records at once. Their inputs are read with the rights of the server: the author and
 * the `groups` of a computed field decide who sees it, and its value is the same for all readers.
 */
async function computeValues(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly ComputedField[],
): Promise<ReadonlyMap<string, ValuesById>> {
  const paths = [...new Set(fields.flatMap((field) => field.compute.depends))];
  const records = ids.length === 0 ? [] : await env.sudo().model(model.name).load(ids, paths, { missing: 'skip' });
  return new Map(
    fields.map((field) => {
      const compute = computerOf(env, field);
      return [field.name, new Map(records.map((record) => [record.id, compute(record)]))];
    }),
  );
}

/** The compute as a function of a loaded record; in strict mode, reads that it did not declare fail. */
function computerOf(env: Env, field: ComputedField): (record: LoadedRecord) => unknown {
  const { compute } = field;
  const context = computeContext(env);
  const cast = (result: unknown) => (field.kind.isList ? idsOf(result) : castResult(field, result));
  if (!isStrictAboutPaths()) return (record) => cast(compute.value(record, context));
  const reader = `The compute of ${field.model}.${field.name}`;
  return (record) => cast(compute.value(guardRecord(record, compute.depends, reader), context));
}

function idsOf(result: unknown): readonly unknown[] {
  if (!Array.isArray(result)) return [];
  return result.map((each: unknown) => (typeof each === 'object' && each !== null && 'id' in each ? each.id : each));
}
