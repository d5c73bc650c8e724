import { atField, KontorError, type Text, text, type Words } from '@kontor/protocol';
import { knownField } from '../domain/known-field.ts';
import { BadValue } from '../fields/kind.ts';
import type { Field, Model } from '../model/model.ts';
import { isList } from './check-names.ts';
import { type ListEdit, listEdit } from './list-edit.ts';
import type { Values, X2manyCommand } from './records.ts';

/** One row as the database will have it, and what is to be done to its lists. */
export interface CastRow {
  readonly columns: Map<Field, unknown>;
  readonly lists: Map<Field, ListEdit>;
}

type Messages = Record<string, Words[]>;

/**
 * Casts all values of all rows before it complains, so that a person sees everything at once. A row that is `new` must
 * have its required fields; a change only must not empty them.
 */
export function castRows(model: Model, rows: readonly Values[], isNew: boolean): CastRow[] {
  const bad: { index: number; fields: Messages }[] = [];
  const cast = rows.map((values, index) => {
    const messages: Messages = {};
    const row = castRow(model, values, messages);
    checkRequired(model, row, isNew, messages);
    if (Object.keys(messages).length > 0) bad.push({ index, fields: messages });
    return row;
  });
  const [first] = bad;
  if (first === undefined) return cast;
  throw new KontorError('VALIDATION_ERROR', describe(model, first.fields), {
    model: model.name,
    fields: first.fields,
    ...(rows.length > 1 ? { rows: bad } : {}),
  });
}

function castRow(model: Model, values: Values, messages: Messages): CastRow {
  const row: CastRow = { columns: new Map(), lists: new Map() };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const field = knownField(model, name);
    try {
      const cast = field.kind.cast(value, field);
      if (isList(field)) row.lists.set(field, listEdit(cast as readonly X2manyCommand[]));
      else row.columns.set(field, cast ?? null);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      messages[name] = [error.words];
    }
  }
  return row;
}

function checkRequired(model: Model, row: CastRow, isNew: boolean, messages: Messages): void {
  for (const field of isNew ? requiredFields(model) : row.columns.keys()) {
    if (!field.required || messages[field.name]) continue;
    const isMissing = isList(field)
      ? hasNoLine(row.lists.get(field))
      : field.kind.isEmpty(row.columns.get(field) ?? null);
    if (isMissing) messages[field.name] = [text('A value is required.')];
  }
}

function hasNoLine(edit: ListEdit | undefined): boolean {
  return edit === undefined || edit.create.length + edit.link.size === 0;
}

const requiredByModel = new WeakMap<Model, readonly Field[]>();

function requiredFields(model: Model): readonly Field[] {
  let required = requiredByModel.get(model);
  if (required === undefined) {
    required = [...model.fields.values()].filter(
      (field) =>
        field.required && field.name !== 'id' && field.compute === null && field.related === null && !isSystem(field),
    );
    requiredByModel.set(model, required);
  }
  return required;
}

const systemColumns: ReadonlySet<string> = new Set(['create_date', 'create_uid', 'write_date', 'write_uid']);

function isSystem(field: Field): boolean {
  return systemColumns.has(field.name);
}

function describe(model: Model, fields: Messages): Text {
  const [name, [message]] = Object.entries(fields)[0] as [string, [Words]];
  return atField(model.fields.get(name)?.label ?? name, message);
}
