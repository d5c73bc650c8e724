import { sql } from '@kontor/database';
import { text } from '@kontor/protocol';
import { knownField } from '../domain/known-field.ts';
import { BadValue } from '../fields/kind.ts';
import type { Field, Model, Registry } from '../model/model.ts';
import type { Values, X2manyCommand } from '../model/records.ts';
import { isNeeded, requiredFields } from '../model/required-fields.ts';
import { addLineFaults, type BadRow, type Faults, faultsError, hasFaults } from '../operation/faults.ts';
import { castInto } from '../plan/cast-into.ts';
import type { Concern, GivenRow, StatementSteps } from '../plan/concern.ts';
import type { CastRow, ListEdit } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { isList } from './check-names.ts';
import { listEdit } from './list-edit.ts';
import { longValues, withPrepared } from './prepare-values.ts';

/**
 * Casts the values of all rows, and of the lines in their commands, and throws one error for all of them. Missing
 * values are reported together with invalid ones; alone they are reported later, because they may still be filled in.
 */
function castGiven(registry: Registry, model: Model, rows: readonly Values[], isNew: boolean): Values[] {
  const faults = rows.map((): Faults => ({ fields: {} }));
  const cast = rows.map((values, index) => castOne(registry, model, values, faults[index] as Faults));
  const bad = badRows(model, cast, faults, isNew);
  if (bad.length > 0) throw faultsError(model, bad, rows.length);
  return cast;
}

function castOne(registry: Registry, model: Model, values: Values, faults: Faults): Values {
  const cast: Record<string, unknown> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined) continue;
    const field = knownField(model, name);
    const result = castValue(field, value, faults);
    cast[name] = isList(field) && Array.isArray(result) ? castLines(registry, field, result, faults) : result;
  }
  return cast;
}

function castValue(field: Field, value: unknown, faults: Faults): unknown {
  try {
    const cast = field.kind.cast(value, field) ?? null;
    field.kind.checkGiven?.(cast, field);
    return cast;
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    faults.fields[field.name] = [error.words];
    return undefined;
  }
}

function castLines(
  registry: Registry,
  field: Field,
  commands: readonly X2manyCommand[],
  owner: Faults,
): X2manyCommand[] {
  const related = registry.model(field.spec.relation as string);
  const lines = { create: newLines(), update: newLines() };
  const castLine = (kind: 'create' | 'update', values: Values): Values => {
    const faults: Faults = { fields: {} };
    const cast = castOne(registry, related, withoutInverse(field, values), faults);
    lines[kind].cast.push(cast);
    lines[kind].faults.push(faults);
    return cast;
  };
  const cast = commands.map((command): X2manyCommand => {
    if (command[0] === 'create') return ['create', castLine('create', command[1])];
    if (command[0] !== 'update') return command;
    const [, id, values, base] = command;
    return base ? ['update', id, castLine('update', values), base] : ['update', id, castLine('update', values)];
  });
  for (const kind of ['create', 'update'] as const) {
    const own = lines[kind];
    const bad = badRows(related, own.cast, own.faults, kind === 'create', inverseOf(field));
    if (bad.length > 0) addLineFaults(owner, field, related, bad, own.cast.length);
  }
  return cast;
}

function newLines(): { readonly cast: Values[]; readonly faults: Faults[] } {
  return { cast: [], faults: [] };
}

/** The many2one back to the owner is set by the server. */
function withoutInverse(field: Field, values: Values): Values {
  const inverse = inverseOf(field);
  if (inverse === undefined || !Object.hasOwn(values, inverse)) return values;
  const { [inverse]: _, ...others } = values;
  return others;
}

function inverseOf({ through, spec }: Field): string | undefined {
  return through ? undefined : spec.inverse;
}

/** Rows with values of a wrong type. If there are any, also rows without a required value that nothing fills in. */
function badRows(
  model: Model,
  cast: readonly Values[],
  faults: readonly Faults[],
  isNew: boolean,
  inverse?: string,
): BadRow[] {
  if (!faults.some(hasFaults)) return [];
  for (const [index, values] of cast.entries()) noteMissing(model, values, isNew, faults[index] as Faults, inverse);
  return faults.flatMap((own, index) => (hasFaults(own) ? [{ index, ...own }] : []));
}

function noteMissing(model: Model, cast: Values, isNew: boolean, faults: Faults, inverse?: string): void {
  const hasHooks = model.hooks.some((hook) => hook.beforeCreate);
  for (const field of requiredFields(model)) {
    if (faults.fields[field.name] || isList(field) || field.name === inverse) continue;
    const value = cast[field.name];
    const isFilled = !isNew || hasHooks || !isNeeded(model, field);
    if (value === undefined ? isFilled : !field.kind.isEmpty(value)) continue;
    faults.fields[field.name] = [text('A value is required.')];
  }
}

/**
 * Casts the values of hooks and defaults; given values are cast already. A new row must have its required fields; a change must
 * not empty them.
 */
function castRows(
  model: Model,
  rows: readonly { readonly given: Values; readonly values: Values }[],
  isNew: boolean,
): CastRow[] {
  const bad: BadRow[] = [];
  const cast = rows.map(({ given, values }, index) => {
    const faults: Faults = { fields: {} };
    const row = castRow(model, given, values, faults);
    checkRequired(model, row, isNew, faults);
    if (hasFaults(faults)) bad.push({ index, ...faults });
    return row;
  });
  if (bad.length > 0) throw faultsError(model, bad, rows.length);
  return cast;
}

/** The values of a row as they are stored. */
export function storedValues(values: Values, { columns }: CastRow): Values {
  const stored = [...columns].filter(([field]) => Object.hasOwn(values, field.name));
  return { ...values, ...Object.fromEntries(stored.map(([field, value]) => [field.name, value])) };
}

function castRow(model: Model, given: Values, values: Values, faults: Faults): CastRow {
  const columns = new Map<Field, unknown>();
  let lists: Map<Field, ListEdit> | null = null;
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value === undefined) continue;
    const field = knownField(model, name);
    const cast = given[name] === value ? value : castValue(field, value, faults);
    if (!isList(field)) columns.set(field, cast);
    else if (cast !== undefined) {
      lists ??= new Map();
      lists.set(field, listEdit(cast as readonly X2manyCommand[]));
    }
  }
  return { columns, lists: lists ?? noLists };
}

const noLists: CastRow['lists'] = new Map();

function checkRequired(model: Model, row: CastRow, isNew: boolean, faults: Faults): void {
  for (const field of isNew ? requiredFields(model) : row.columns.keys()) {
    if (!field.required || faults.fields[field.name]) continue;
    const isMissing = isList(field)
      ? hasNoLine(row.lists.get(field))
      : field.kind.isEmpty(row.columns.get(field) ?? null);
    if (isMissing) faults.fields[field.name] = [text('A value is required.')];
  }
}

function hasNoLine(edit: ListEdit | undefined): boolean {
  return edit === undefined || edit.create.length + edit.link.size === 0;
}

/** Each given value must be of the type of its field. */
export const casting: Concern = {
  name: 'casting',
  plan({ operation, given, fields }) {
    if (operation === 'unlink') return null;
    const flags = operation === 'create' ? [] : [...fields].filter(({ kind }) => kind.absent === false);
    const statement: StatementSteps = {
      values({ given: raw, values }) {
        for (const field of given) if (!castInto(values, field, raw[field.name])) return false;
        return true;
      },
      // An empty boolean means false, which the statement cannot compare.
      holds: ({ old }) => flags.map((field) => sql`${old(field)} is not null`),
    };
    return { given: castGivenRows, statement: () => statement };
  },
};

function castGivenRows(run: WriteRun): void | Promise<void> {
  const long = longValues(run.env.registry, run.model, run.given);
  return long.length === 0 ? castAll(run) : withPrepared(long, () => castAll(run));
}

/** Rows that are the same object are cast once. The values of new records are filled in later, so they are copied. */
function castAll(run: WriteRun): void {
  const { env, model, operation, given } = run;
  const isNew = operation === 'create';
  const distinct = [...new Set(given)];
  const cast = castGiven(env.registry, model, distinct, isNew);
  const castOf = new Map(distinct.map((values, index) => [values, cast[index] as Values]));
  run.rows = run.rows.map((row) => {
    const own = castOf.get(row.given) as Values;
    return { ...row, given: own, values: isNew ? { ...own } : own };
  });
}

/** Required fields must have a value, and values of hooks and defaults must match the type of their field. */
export const required: Concern = {
  name: 'required',
  plan({ model, operation, fields }) {
    if (operation === 'unlink') return null;
    const needed = operation === 'create' ? requiredFields(model) : [...fields].filter((field) => field.required);
    // The step reports which values are missing.
    if (needed.some((field) => !fields.has(field))) return { before: castFilled };
    const values = ({ values: row }: GivenRow) => needed.every((field) => !field.kind.isEmpty(row.get(field)));
    return { before: castFilled, statement: () => ({ values }) };
  },
};

/** Rows that share their values share the cast. */
function castFilled(run: WriteRun): void {
  const { model, operation, rows } = run;
  const distinct = [...new Map(rows.map((row) => [row.values, row])).values()];
  const cast = castRows(model, distinct, operation === 'create');
  if (operation === 'create') {
    run.casts = new Map(distinct.map(({ values }, index) => [values, cast[index] as CastRow]));
    return;
  }
  const stored = new Map(
    distinct.map(({ given, values }, index) => [
      values,
      given === values ? values : storedValues(values, cast[index] as CastRow),
    ]),
  );
  run.rows = rows.map((row) => ({ ...row, values: stored.get(row.values) as Values }));
  run.casts = new Map(distinct.map(({ values }, index) => [stored.get(values) as Values, cast[index] as CastRow]));
}
