import { isDefaultSource, isSequence, type Sequence, sequenceFields, sequenceOf } from '../fields/default-sources.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { castInto } from '../plan/cast-into.ts';
import type { Concern, GivenRow } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { constantDefault } from './constant-default.ts';
import { nextNumbers } from './next-numbers.ts';

type Row = Record<string, unknown>;

/**
 * Fills in the defaults of new records, except numbers of sequences, which are drawn just before the insert. A given key
 * keeps its value, also null.
 */
export async function applyDefaults(env: Env, model: Model, values: readonly Values[]): Promise<Row[]> {
  const filled: Row[] = values.map((given) => ({ ...given }));
  await fillDefaults(env, model, filled);
  return filled;
}

async function fillDefaults(env: Env, model: Model, rows: readonly Row[]): Promise<void> {
  for (const field of defaultFields(model)) {
    const missing = sequenceCode(field) === null ? rows.filter((row) => row[field.name] === undefined) : [];
    if (missing.length > 0) await fillValues(env, model, field, missing);
  }
}

/** Draws sequence numbers for new records that have none: those of defaults, and those of the moves to the state that the server creates them in. */
async function drawNumbers(env: Env, model: Model, rows: readonly Row[]): Promise<void> {
  for (const field of defaultFields(model)) {
    const source = sequenceSource(field);
    const missing = source === null ? [] : rows.filter((row) => row[field.name] === undefined);
    if (source !== null && missing.length > 0) await fillNumbers(env, model, field, source, missing);
  }
  for (const { field, source, state } of movedNumbers(model)) {
    const settled = rows.filter((row) => row[model.states?.field ?? ''] === state && !row[field.name]);
    if (settled.length > 0) await fillNumbers(env, model, field, source, settled);
  }
}

/** The numbers that moves give, and the states that they lead to. */
function movedNumbers({ states, fields }: Model) {
  const moves = [...(states?.moves.values() ?? [])].flat();
  return moves.flatMap(({ to, sets }) =>
    [...sets].flatMap(([name, source]) =>
      isSequence(source) ? [{ field: fields.get(name) as Field, source, state: to }] : [],
    ),
  );
}

/** Gives existing records the default of a new field. */
export async function fillDefault(env: Env, model: Model, field: Field, rows: readonly Row[]): Promise<void> {
  const source = sequenceSource(field);
  if (source === null) await fillValues(env, model, field, rows);
  else await fillNumbers(env, model, field, source, rows);
}

async function fillValues(env: Env, model: Model, field: Field, rows: readonly Row[]): Promise<void> {
  const name = companyField(field);
  if (name !== null) await fillFromCompany(env, model, field, name, rows);
  else for (const row of rows) row[field.name] = constantDefault(env, field);
}

/** The sequence that numbers a field, if any. */
export function sequenceCode(field: Field): string | null {
  return sequenceSource(field)?.code ?? null;
}

function sequenceSource({ spec }: Field): Sequence | null {
  return isSequence(spec.default) ? spec.default : null;
}

/** The field of the company that new records take their default from, if there is one. */
function companyField({ spec }: Field): string | null {
  return isDefaultSource(spec.default) && spec.default.source === 'company-value' ? spec.default.field : null;
}

/** Whether its default is a sequence number or a value of the company. */
export function isReadFromDatabase(field: Field): boolean {
  return sequenceCode(field) !== null || companyField(field) !== null;
}

/** Read with the caller's rights: values of a company that they may not read do not reach their records. */
async function fillFromCompany(
  env: Env,
  model: Model,
  field: Field,
  name: string,
  rows: readonly Row[],
): Promise<void> {
  const groups = byCompany(env, model, rows);
  const ids = [...groups.keys()].filter((id) => id !== null);
  const companies = await env.outside(false).model('core.company').load(ids, [name], { missing: 'skip' });
  const { kind } = env.registry.model('core.company').fields.get(name) as Field;
  const stored = (value: unknown) => (kind.isToOne ? (value as LoadedRecord | null)?.id : value);
  const values = new Map(companies.map((company) => [company.id, stored(company[name])]));
  for (const [companyId, own] of groups) {
    for (const row of own) row[field.name] = values.get(companyId ?? 0) ?? null;
  }
}

async function fillNumbers(
  env: Env,
  model: Model,
  field: Field,
  source: Sequence,
  rows: readonly Row[],
): Promise<void> {
  for (const [companyId, own] of byCompany(env, model, rows)) {
    const groups = new Map<string, Row[]>();
    for (const row of own) {
      const key = JSON.stringify(sequenceFields(source).map((name) => row[name]));
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    for (const some of groups.values()) {
      const [first = {}] = some;
      const date = source.on ? (first[source.on] as string | null) : null;
      const code = sequenceOf(source, (name) => first[name]);
      const numbers = await nextNumbers(env, code, some.length, companyId, date ?? undefined);
      for (const [i, row] of some.entries()) row[field.name] = numbers[i];
    }
  }
}

/** By their own company, which need not be the active one. */
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

/** Fields that depend on the company come last: it must be known by then. */
export function defaultFields(model: Model): readonly Field[] {
  let fields = fieldsWithDefault.get(model);
  if (!fields) {
    const all = [...model.fields.values()].filter(
      (field) => field.spec.default !== undefined && field.compute === null && field.related === null,
    );
    fields = [...all.filter((field) => !isReadFromDatabase(field)), ...all.filter(isReadFromDatabase)];
    fieldsWithDefault.set(model, fields);
  }
  return fields;
}

/** New records get the defaults of fields that are not given. */
export const defaults: Concern = {
  name: 'defaults',
  plan({ model, operation, always }) {
    const filling = operation === 'create' ? defaultFields(model).filter((field) => !sequenceCode(field)) : [];
    // Including those of given fields: a hook may remove a value.
    if (filling.length === 0) return null;
    const filled = filling.filter((field) => !always.has(field));
    const before = ({ env, rows }: WriteRun) => fillDefaults(env, model, valuesOf(rows));
    if (filled.some(isReadFromDatabase)) return { adds: filled, before };
    const values = ({ values: row, situation }: GivenRow) =>
      filled.every((field) => {
        const value = constantDefault(situation, field);
        return value !== undefined && castInto(row, field, value);
      });
    return { adds: filled, before, statement: () => ({ values }) };
  },
};

/** New records draw their numbers from sequences. */
export const numbers: Concern = {
  name: 'numbers',
  plan({ model, operation, always }) {
    if (operation !== 'create') return null;
    const moved = movedNumbers(model).map(({ field }) => field);
    const drawing = [...new Set([...defaultFields(model).filter((field) => sequenceCode(field)), ...moved])];
    if (drawing.length === 0) return null;
    const drawn = drawing.filter((field) => !always.has(field));
    return {
      adds: drawn,
      before: ({ env, rows }) => drawNumbers(env, model, valuesOf(rows)),
      ...(drawn.length === 0 && { statement: () => ({}) }),
    };
  },
};

/** The values of new records may still be written to. */
function valuesOf(rows: readonly { readonly values: Values }[]): Row[] {
  return rows.map(({ values }) => values as Row);
}
