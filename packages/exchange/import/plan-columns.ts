import {
  checkFieldWrite,
  checkModelAccess,
  commonDecimalMark,
  type Env,
  type Field,
  knownField,
  type Model,
  type TextNotation,
} from '@kontor/orm';
import {
  dateIn,
  dateOrderOf,
  type ImportFixes,
  invalidArgs,
  numberNotationOf,
  text,
  ValidationError,
} from '@kontor/protocol';
import { type ColumnFixes, fixesOf } from './import-fixes.ts';
import { importableLineFields, isImportable, isLineField, uniqueFields } from './import-targets.ts';
import { localeOf } from './iso-names.ts';
import type { Table } from './open-table.ts';
import { cellReader } from './read-cell.ts';
import { createRelationLookup, type RelationLookup } from './relation-lookup.ts';

/** A column of the file that is mapped to a field. */
export interface Column {
  readonly index: number;
  readonly header: string;
  readonly field: Field;
  /** Parses a text: returns a value, or a BadValue with the reason. */
  readonly read: (cell: string) => unknown;
  /** For many2one and many2many: records by id, external id or name. */
  readonly lookup: RelationLookup | null;
  /** The user's fixes for some of its values. */
  readonly fixes: ColumnFixes | null;
}

/** Columns of the lines of one list. */
export interface LinePlan {
  readonly field: Field;
  readonly model: Model;
  readonly columns: readonly Column[];
  readonly id: Place | null;
}

interface Place {
  readonly index: number;
  readonly header: string;
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
  readonly id: Place | null;
  /** Columns of fields whose value no two records share. */
  readonly keys: readonly Column[];
  /** Columns by which records are probably the same, where duplicates are to be pointed out. */
  readonly likely: readonly Column[];
  /** Lists whose lines the file brings along. */
  readonly lines: readonly LinePlan[];
}

interface Choices {
  /** Whether records that are probably there already stop the import until the person has decided. */
  readonly asksDuplicates: boolean;
  readonly mapping: ColumnMapping;
  readonly mode: ImportMode;
  readonly fixes: ImportFixes;
}

/** Checks a mapping against the file, the model and the user's rights, before any row is read. */
export function planColumns(env: Env, model: Model, table: Table, choices: Choices): ColumnPlan {
  const { mapping, mode, fixes, asksDuplicates } = choices;
  checkModelAccess(env, model, 'create');
  if (mode === 'upsert') checkModelAccess(env, model, 'write');
  const mapped = mappedColumns(table.headers, mapping);
  const own = mapped.filter(({ name }) => !name.includes('/'));
  const columns: Column[] = [];
  for (const { header, index, name } of own) {
    if (name !== 'id') columns.push(columnOf(env, table, fixes, { header, index, field: fieldOf(env, model, name) }));
  }
  const id = own.find(({ name }) => name === 'id') ?? null;
  const uniques = new Set(uniqueFields(model));
  const keys = columns.filter(({ field, lookup }) => uniques.has(field) && lookup === null);
  const lines = planLines(env, model, table, { mapped: mapped.filter((each) => !own.includes(each)), fixes });
  if (columns.length === 0 && (id === null || lines.length === 0)) {
    throw badMapping(text('Map at least one column to a field.'));
  }
  if (mode === 'upsert' && id === null && keys.length === 0) {
    throw badMapping(text('To update records, map a column to the ID or to a unique field.'));
  }
  const likely = asksDuplicates ? columns.filter(({ field }) => field.spec.likelyUnique && !uniques.has(field)) : [];
  return { model, mode, width: table.headers.length, columns, id, keys, likely, lines };
}

/** Columns of lines, `line_ids/quantity`, by their list. */
function planLines(
  env: Env,
  model: Model,
  table: Table,
  { mapped, fixes }: { readonly mapped: readonly Mapped[]; readonly fixes: ImportFixes },
): LinePlan[] {
  const lists = new Set(mapped.map(({ name }) => name.slice(0, name.indexOf('/'))));
  return [...lists].map((list) => {
    const field = knownField(model, list);
    checkFieldWrite(env, field);
    if (!isLineField(env, field)) throw notImported(model, list);
    const related = env.registry.model(field.spec.relation as string);
    const known = new Set(importableLineFields(env, field));
    const columns: Column[] = [];
    let id: Place | null = null;
    for (const { header, index, name } of mapped) {
      if (!name.startsWith(`${list}/`)) continue;
      const inner = name.slice(list.length + 1);
      if (inner === 'id') {
        id = { header, index };
        continue;
      }
      const line = knownField(related, inner);
      checkFieldWrite(env, line);
      if (!known.has(line)) throw notImported(related, inner);
      columns.push(columnOf(env, table, fixes, { header, index, field: line }));
    }
    if (columns.length === 0)
      throw badMapping(text('Map at least one column to a field of {list}.', { list: field.label }));
    return { field, model: related, columns, id };
  });
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
  throw notImported(model, name);
}

function notImported(model: Model, name: string): Error {
  return invalidArgs(`${name} of ${model.name} cannot be imported.`, { model: model.name, field: name });
}

function columnOf(
  env: Env,
  table: Table,
  fixes: ImportFixes,
  place: Pick<Column, 'header' | 'index' | 'field'>,
): Column {
  const { field, index } = place;
  let mark: '.' | ',' | null | undefined;
  const notation = {
    ...notationOf(env.actor),
    today: dateIn(env.actor.tz, env.now),
    mark: () => {
      mark ??= table.pointColumns.has(index) ? '.' : commonDecimalMark(cellsOf(table, index));
      return mark;
    },
  };
  return {
    ...place,
    read: cellReader(field, notation),
    fixes: fixesOf(fixes, place.header),
    lookup: field.kind.isRelation
      ? createRelationLookup(env, env.registry.model(field.spec.relation as string), field.spec.domain)
      : null,
  };
}

/** How a user writes numbers, dates and times. */
export function notationOf({ lang, tz }: { readonly lang: string; readonly tz: string }): Omit<TextNotation, 'mark'> {
  const locale = localeOf(lang);
  return {
    decimal: numberNotationOf(locale).decimal,
    dateOrder: dateOrderOf(locale),
    locale,
    tz,
  };
}

function* cellsOf(table: Table, index: number): Generator<string> {
  for (const { cells } of table.rows()) yield cells[index] ?? '';
}

function badMapping(message: Parameters<typeof invalidArgs>[0]): ValidationError {
  return new ValidationError({ column_mapping: [message] }, message);
}
