import type { LoadedRecord, NormaliseSpec } from '../model/behaviour.ts';
import type { Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { castInto } from '../plan/cast-into.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { lockRows } from '../rows/lock-rows.ts';

/** Values are normalised before hooks see them. */
export const normalise: Concern = {
  name: 'normalise',
  plan({ model, operation, purpose, given }) {
    const due = operation === 'write' && purpose === 'call' ? normalisersOf(model, namesOf(given)) : [];
    return due.length > 0 ? { before: (run) => normaliseRows(run, due), isOpen: true } : null;
  },
};

/** For new records, once all their initial values are known. */
export const normaliseNew: Concern = {
  name: 'normalise new',
  plan({ model, operation, purpose }) {
    if (operation !== 'create' || purpose !== 'call' || model.normalise.length === 0) return null;
    return { before: normaliseNewRows, isOpen: true };
  },
};

/** The normalisers that a change of these fields triggers. */
export function normalisersOf({ normalise: all }: Model, names: readonly string[]): readonly NormaliseSpec[] {
  return all.filter(({ on }) => on.some((name) => names.includes(name)));
}

/** The record's own fields that normalisers read. */
export function readByNormalisers(model: Model, normalisers: readonly NormaliseSpec[]): readonly Field[] {
  const names = new Set(normalisers.flatMap(({ on, reads = [] }) => [...on, ...reads]));
  return [...names].map((name) => model.fields.get(name) as Field);
}

/** The rows are locked first: stored values must not change before they are written. */
async function normaliseRows(run: WriteRun, due: readonly NormaliseSpec[]): Promise<void> {
  const { env, model, ids, rows } = run;
  const fields = readByNormalisers(model, due);
  const locked = await lockRows(env, model, ids, fields, 'write');
  run.rows = rows.map((row) => {
    const stored = locked.get(row.id)?.values ?? new Map<Field, unknown>();
    return { ...row, values: normalised(due, fields, row.values, { id: row.id, values: stored }) };
  });
}

/** A value counts as given if a caller gave it: a default does not. */
function normaliseNewRows({ model, rows }: WriteRun): void {
  const fields = readByNormalisers(model, model.normalise);
  for (const { given, values } of rows) {
    const isGiven = (name: string) => given[name] !== undefined;
    // The values of new records may still be written to.
    Object.assign(values, normalised(model.normalise, fields, values, null, isGiven));
  }
}

function normalised(
  normalisers: readonly NormaliseSpec[],
  fields: readonly Field[],
  values: Values,
  stored: { readonly id: number; readonly values: ReadonlyMap<Field, unknown> } | null,
  given = (name: string) => values[name] !== undefined,
): Values {
  let result = values;
  for (const { value } of normalisers) {
    const cast = new Map<Field, unknown>(stored?.values ?? fields.map((field) => [field, field.kind.absent]));
    // An invalid value is rejected when all are cast.
    if (!fields.every((field) => result[field.name] === undefined || castInto(cast, field, result[field.name])))
      return values;
    const before = stored && recordOf(stored.id, stored.values);
    const patch = value(recordOf(stored?.id ?? 0, cast), { before, given });
    if (patch) result = { ...result, ...patch };
  }
  return result;
}

function recordOf(id: number, values: ReadonlyMap<Field, unknown>): LoadedRecord {
  return { id, ...Object.fromEntries([...values].map(([field, value]) => [field.name, value])) };
}
