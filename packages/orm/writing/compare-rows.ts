import { castRows, storedValues } from '../given/cast-values.ts';
import { castBase, mergeBase } from '../given/merge-base.ts';
import { lockingLinks } from '../graph/locked-lists.ts';
import { placeColumns } from '../graph/state-fields.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { sameValue } from '../model/same-value.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { companyField } from '../operation/record-change.ts';
import type { AskedRow, CastRow, Casts, Conflicts, LockedRow, RowChange } from '../plan/row-change.ts';
import { lockRows } from '../rows/lock-rows.ts';

/** The rows with the values that hooks returned cast too. Rows that share their values share the cast. */
export function castAsked(
  model: Model,
  asked: readonly AskedRow[],
): { readonly rows: readonly AskedRow[]; readonly casts: Casts } {
  const distinct = [...new Map(asked.map((row) => [row.values, row])).values()];
  const cast = castRows(model, distinct, false);
  const stored = new Map(
    distinct.map(({ given, values }, index) => [
      values,
      given === values ? values : storedValues(values, cast[index] as CastRow),
    ]),
  );
  return {
    rows: asked.map((row) => ({ ...row, values: stored.get(row.values) as Values })),
    casts: new Map(distinct.map(({ values }, index) => [stored.get(values) as Values, cast[index] as CastRow])),
  };
}

/** Locks the records and finds the values that differ from the stored ones. */
export async function compareRows(
  env: Env,
  model: Model,
  ids: readonly number[],
  asked: readonly AskedRow[],
  casts: Casts,
  readAlong: readonly Field[],
): Promise<RowChange[]> {
  const fields = new Set([...casts.values()].flatMap((row) => [...row.columns.keys()]));
  for (const field of readAlong) fields.add(field);
  const locked = await lockRows(env, model, ids, [...fields, ...contextFields(env, model, fields)], 'write');
  return asked.map((row) => compare(model, row, casts.get(row.values) as CastRow, locked.get(row.id) as LockedRow));
}

/**
 * Columns that are read with the lock: the company, the relations that must agree with it, state and stage, and the many2ones
 * to records that the record is a line of.
 */
export function contextFields({ registry }: Env, model: Model, fields: ReadonlySet<Field>): Field[] {
  const company = companyField(model);
  const bound = company && fields.has(company) ? companyBound(model) : [];
  const context = [
    ...(company ? [company] : []),
    ...bound,
    ...placeColumns(model, fields),
    ...lockingLinks(registry, model),
  ];
  return [...new Set(context)].filter((field) => !fields.has(field));
}

export function companyBound(model: Model): Field[] {
  return [...model.fields.values()].filter((field) => field.spec.checkCompany === true && field.column !== null);
}

export function compare(model: Model, row: AskedRow, cast: CastRow, now: LockedRow): RowChange {
  const base = row.base === undefined ? null : castBase(model, row.base);
  const conflicts: Conflicts = {};
  const columns = base === null ? cast.columns : mergeBase(now, cast.columns, base, conflicts);
  const changed = new Map<Field, FieldChange>();
  for (const [field, value] of columns) {
    const old = now.values.get(field) ?? null;
    if (!sameValue(field, old, value)) changed.set(field, { old, new: value });
  }
  return { id: row.id, given: row.given, values: row.values, cast, now, base, conflicts, changed };
}
