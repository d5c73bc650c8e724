import { type Cell, fillSlots } from '@kontor/database';
import { mayReadField } from '../../access/field-access.ts';
import { mayOwnerAccess } from '../../access/model-access.ts';
import { castResult, computeContext, runCompute } from '../../graph/compute-of.ts';
import type { ComputeByValue, LoadedRecord } from '../../model/behaviour.ts';
import type { Env, Field, Model } from '../../model/model.ts';
import { rowsOf } from '../cached-rows.ts';
import { guardRecord, isStrictAboutPaths } from '../guard-record.ts';
import type { CellOutput, ComputedOutput, LinesOutput, Plan } from './plan.ts';

export type Rows = readonly (readonly Cell[])[];

/** What the rows do not contain: lines by owner, and computed values by record. */
export interface Extras {
  readonly lines: ReadonlyMap<LinesOutput, Lines>;
  readonly computed: ReadonlyMap<ComputedOutput, ValuesById>;
}
export interface Lines {
  readonly rows: Rows;
  readonly extras: Extras;
}

export const noExtras: Extras = { lines: new Map(), computed: new Map() };
export const noLines: Lines = { rows: [], extras: noExtras };

/** One statement per x2many and per model of computes that read through relations; never one per row. */
export async function fetchExtras(env: Env, plan: Pick<Plan, 'lines' | 'computed'>, rows: Rows): Promise<Extras> {
  if (plan.lines.length === 0 && plan.computed.length === 0) return noExtras;
  const lines = new Map<LinesOutput, Lines>();
  for (const output of plan.lines) lines.set(output, await fetchLines(env, output, rows));
  return { lines, computed: await fetchComputed(env, plan.computed, rows) };
}

async function fetchLines(env: Env, output: LinesOutput, rows: Rows): Promise<Lines> {
  const owners = idsIn(rows, output.owner);
  if (!output.child || owners.length === 0) return noLines;
  const lineRows = await rowsOf(env, fillSlots(output.child.statement, owners));
  return { rows: lineRows, extras: await fetchExtras(env, output.child, lineRows) };
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
 * Values of computed fields for many records at once, read with the rights of the reader, or of the server if `asServer` gives a
 * reason.
 */
async function computeValues(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly ComputedField[],
): Promise<ReadonlyMap<string, ValuesById>> {
  const values = new Map<string, ValuesById>();
  const isOpen = (field: ComputedField) => env.isSudo || field.compute.asServer !== undefined;
  for (const group of [fields.filter(isOpen), fields.filter((field) => !isOpen(field))]) {
    const [first] = group;
    if (first === undefined) continue;
    const paths = [...new Set(group.flatMap((field) => field.compute.depends))];
    const records = ids.length === 0 ? [] : await loadInputs(isOpen(first) ? env.sudo() : env, model, ids, paths);
    for (const field of group) {
      const compute = computerOf(env, field);
      values.set(field.name, new Map(records.map((record) => [record.id, compute(record)])));
    }
  }
  return values;
}

/** Values that the reader may not read are empty. The scope of a key does not apply here: it limits what is named. */
async function loadInputs(
  env: Env,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
): Promise<readonly LoadedRecord[]> {
  const closed = env.isSudo ? [] : paths.flatMap((path) => closedPart(env, model, path) ?? []);
  const open = paths.filter((path) => !closed.some((part) => path === part || path.startsWith(`${part}.`)));
  const records = await env.outside(false).model(model.name).load(ids, open, { missing: 'skip' });
  for (const part of closed) for (const record of records) emptyAt(env, model, record, part.split('.'));
  return records;
}

/** The path up to the first field or model that the reader may not read; null: they may read all of it. */
function closedPart(env: Env, model: Model, path: string): string | null {
  const steps = path.split('.');
  let at = model;
  for (const [index, step] of steps.entries()) {
    const field = at.fields.get(step);
    if (field === undefined) return null;
    const target = field.spec.relation ? env.registry.model(field.spec.relation) : null;
    const isClosed = !mayReadField(env, field) || (target !== null && !mayOwnerAccess(env, target, 'read'));
    if (isClosed) return steps.slice(0, index + 1).join('.');
    if (target === null) return null;
    at = target;
  }
  return null;
}

function emptyAt(env: Env, model: Model, record: LoadedRecord, steps: readonly string[]): void {
  const [name = '', ...rest] = steps;
  const field = model.fields.get(name);
  const held = record[name];
  if (rest.length === 0 || held === undefined) Object.assign(record, { [name]: field?.kind.isList ? [] : null });
  if (rest.length === 0 || held === undefined || held === null) return;
  const target = env.registry.model(field?.spec.relation as string);
  for (const each of [held].flat()) emptyAt(env, target, each as LoadedRecord, rest);
}

/** The compute as a function of a loaded record; in strict mode, reads that it did not declare fail. */
function computerOf(env: Env, field: ComputedField): (record: LoadedRecord) => unknown {
  const { compute } = field;
  const context = computeContext(env);
  const cast = (result: unknown) => (field.kind.isList ? idsOf(result) : castResult(field, result));
  if (!isStrictAboutPaths()) return (record) => cast(runCompute(field, compute, record, context));
  const reader = `The compute of ${field.model}.${field.name}`;
  return (record) => cast(runCompute(field, compute, guardRecord(record, compute.depends, reader), context));
}

function idsOf(result: unknown): readonly unknown[] {
  if (!Array.isArray(result)) return [];
  return result.map((each: unknown) => (typeof each === 'object' && each !== null && 'id' in each ? each.id : each));
}
