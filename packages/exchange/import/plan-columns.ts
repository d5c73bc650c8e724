import {
  checkFieldWrite,
  checkModelAccess,
  commonDecimalMark,
  type Env,
  type Field,
  knownField,
  type Model,
  mayReadField,
  type TextNotation,
} from '@kontor/orm';
import { dateOrderOf, type ImportTarget, invalidArgs, text, ValidationError } from '@kontor/protocol';
import type { Table } from './open-table.ts';
import { createRelationLookup, type RelationLookup } from './relation-lookup.ts';

/** A column of the file on its way into a field. */
export interface Column {
  readonly index: number;
  readonly header: string;
  readonly field: Field;
  readonly notation: TextNotation;
  /** For many2one and many2many: records by id, external id or name. */
  readonly lookup: RelationLookup | null;
}

export type ImportMode = 'create' | 'upsert';
/** Fields by column name. */
export type ColumnMapping = Readonly<Record<string, string>>;

export interface ColumnPlan {
  readonly model: Model;
  readonly mode: ImportMode;
  readonly width: number;
  readonly columns: readonly Column[];
  /** The column of record ids and external ids, if one is mapped. */
  readonly id: { readonly index: number; readonly header: string } | null;
  /** Columns of fields whose value no two records share. */
  readonly keys: readonly Column[];
}

/** Checks a mapping against the file, the model and the person's rights, before any row is looked at. */
export function planColumns(
  env: Env,
  model: Model,
  table: Table,
  { mapping, mode }: { readonly mapping: ColumnMapping; readonly mode: ImportMode },
): ColumnPlan {
  checkModelAccess(env, model, 'create');
  if (mode === 'upsert') checkModelAccess(env, model, 'write');
  const mapped = mappedColumns(table.headers, mapping);
  const columns: Column[] = [];
  for (const { header, index, name } of mapped) {
    if (name !== 'id') columns.push(columnOf(env, table, { header, index, field: fieldOf(env, model, name) }));
  }
  const id = mapped.find(({ name }) => name === 'id') ?? null;
  const uniques = new Set(uniqueFields(model));
  const keys = columns.filter(({ field, lookup }) => uniques.has(field) && lookup === null);
  if (columns.length === 0) throw badMapping(text('Map at least one column to a field.'));
  if (mode === 'upsert' && id === null && keys.length === 0) {
    throw badMapping(text('To update records, map a column to the ID or to a field that no two records share.'));
  }
  return { model, mode, width: table.headers.length, columns, id, keys };
}

interface Mapped {
  readonly header: string;
  readonly index: number;
  readonly name: string;
}

function mappedColumns(headers: readonly string[], mapping: ColumnMapping): Mapped[] {
  const byField = new Map<string, Mapped>();
  for (const [header, name] of Object.entries(mapping)) {
    if (name === '') continue;
    const index = headers.indexOf(header);
    if (index < 0) throw invalidArgs(text('The file has no column "{header}".', { header }), { field: header });
    const other = byField.get(name);
    if (other) {
      throw badMapping(
        text('"{header}" and "{other}" are both mapped to {name}.', { header, other: other.header, name }),
      );
    }
    byField.set(name, { header, index, name });
  }
  return [...byField.values()].sort((a, b) => a.index - b.index);
}

function fieldOf(env: Env, model: Model, name: string): Field {
  const field = knownField(model, name);
  checkFieldWrite(env, field);
  if (isImportable(env, field)) return field;
  throw invalidArgs(`${name} of ${model.name} cannot be imported.`, { model: model.name, field: name });
}

function columnOf(env: Env, table: Table, place: Pick<Column, 'header' | 'index' | 'field'>): Column {
  const { field, index } = place;
  let mark: '.' | ',' | null | undefined;
  const notation = {
    ...notationOf(env.actor),
    mark: () => {
      mark ??= commonDecimalMark(cellsOf(table, index));
      return mark;
    },
  };
  return {
    ...place,
    notation,
    lookup: field.kind.isRelation ? createRelationLookup(env, env.registry.model(field.spec.relation as string)) : null,
  };
}

/** How a person writes numbers, dates and times. */
export function notationOf({ lang, tz }: { readonly lang: string; readonly tz: string }): Omit<TextNotation, 'mark'> {
  const locale = localeOf(lang);
  const number = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5);
  return {
    decimal: number.find(({ type }) => type === 'decimal')?.value ?? '.',
    dateOrder: dateOrderOf(locale),
    tz,
  };
}

function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replaceAll('_', '-').replace(/@.*$/, ''))[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

function* cellsOf(table: Table, index: number): Generator<string> {
  for (const { cells } of table.rows()) yield cells[index] ?? '';
}

function badMapping(message: Parameters<typeof invalidArgs>[0]): ValidationError {
  return new ValidationError({ column_mapping: [message] }, message);
}

/** Fields that the person may set by an import: those that RPC lets them write, but for files and lines. */
function importableFields(env: Env, model: Model): Field[] {
  return [...model.fields.values()].filter((field) => isImportable(env, field));
}

function isImportable(env: Env, field: Field): boolean {
  const { spec, kind } = field;
  if (kind.isLines || kind.isFile || spec.secret || field.isReadonly || field.name === 'id') return false;
  if (field.compute !== null || field.related !== null) return false;
  return (field.column !== null || kind.isLinks) && mayReadField(env, field);
}

export function importTargets(env: Env, model: Model): ImportTarget[] {
  const uniques = new Set(uniqueFields(model).map((field) => field.name));
  const own = importableFields(env, model).map((field) => ({
    name: field.name,
    label: field.label,
    type: field.spec.type,
    required:
      field.required &&
      field.spec.default === undefined &&
      !field.isEditable &&
      field.name !== model.states?.stages?.field,
    unique: uniques.has(field.name),
  }));
  return [{ name: 'id', label: 'ID', type: 'id', required: false, unique: true }, ...own];
}

/** Fields whose value no two records share. */
function uniqueFields(model: Model): Field[] {
  const alone = model.uniques.flatMap(({ fields, where }) => (fields.length === 1 && !where ? fields : []));
  return [...new Set(alone)].flatMap((name) => model.fields.get(name) ?? []).filter((field) => field.column !== null);
}
