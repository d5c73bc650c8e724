import type { Env } from '../../env.ts';
import type { Field, Model } from '../../model/model.ts';
import type { Values } from '../records.ts';
import { constantDefault } from './constant-default.ts';
import { nextNumbers } from './sequence/next-numbers.ts';

type Row = Record<string, unknown>;

/** Fills what a new record was not given. A key that is there stays as it is, also when it is null. */
export async function applyDefaults(env: Env, model: Model, values: readonly Values[]): Promise<Row[]> {
  const filled: Row[] = values.map((given) => ({ ...given }));
  for (const field of defaultFields(model)) {
    const missing = filled.filter((row) => row[field.name] === undefined);
    if (missing.length === 0) continue;
    const code = sequenceCode(field);
    if (code === null) for (const row of missing) row[field.name] = constantDefault(env, field);
    else await fillNumbers(env, model, field, code, missing);
  }
  return filled;
}

/** The defaults that can be shown before a record is made: all but numbers, which are drawn when it is. */
export function draftDefaults(env: Env, model: Model, given: Values): Row {
  const row: Row = { ...given };
  for (const field of defaultFields(model)) {
    if (row[field.name] === undefined && sequenceCode(field) === null) row[field.name] = constantDefault(env, field);
  }
  return row;
}

/** The sequence that numbers a field, if one does. */
export function sequenceCode(field: Field): string | null {
  const given = field.spec.default;
  if (typeof given !== 'object' || given === null || !('source' in given) || given.source !== 'sequence') return null;
  return 'code' in given && typeof given.code === 'string' ? given.code : null;
}

async function fillNumbers(env: Env, model: Model, field: Field, code: string, rows: readonly Row[]): Promise<void> {
  for (const [companyId, own] of byCompany(env, model, rows)) {
    const numbers = await nextNumbers(env, code, own.length, companyId);
    for (const [i, row] of own.entries()) row[field.name] = numbers[i];
  }
}

/** A record is numbered by the sequence of its own company, which need not be the active one. */
function byCompany(env: Env, model: Model, rows: readonly Row[]): Map<number | null, Row[]> {
  const groups = new Map<number | null, Row[]>();
  for (const row of rows) {
    const own = model.hasCompany ? row.company_id : undefined;
    const companyId = typeof own === 'number' ? own : env.actor.companyId;
    groups.set(companyId, [...(groups.get(companyId) ?? []), row]);
  }
  return groups;
}

const fieldsWithDefault = new WeakMap<Model, readonly Field[]>();

/** Company first: numbers are drawn by it. */
function defaultFields(model: Model): readonly Field[] {
  let fields = fieldsWithDefault.get(model);
  if (!fields) {
    const all = [...model.fields.values()].filter(
      (field) => field.spec.default !== undefined && field.compute === null && field.related === null,
    );
    fields = [
      ...all.filter((field) => sequenceCode(field) === null),
      ...all.filter((field) => sequenceCode(field) !== null),
    ];
    fieldsWithDefault.set(model, fields);
  }
  return fields;
}
