import { ident, type Queryable, sql, type Transaction } from '@kontor/database';
import { ownThrough, type Registry } from '@kontor/orm';
import { fieldTypes } from '@kontor/protocol';
import type { AddedModel, AddedModels } from './added-model.ts';
import { type CustomDocument, type CustomField, fieldIn, fieldsIn, modelIn } from './document.ts';

/** For how long the data of a deleted field or model can be brought back. */
export const deletedDays = 30;

interface Deleted {
  readonly model: string;
  /** The last revision that has it. */
  readonly revision: number;
  /** When it was deleted. */
  readonly at: Date;
}

export interface DeletedField extends Deleted {
  readonly name: string;
  /** As it was. */
  readonly field: CustomField;
}

export interface DeletedModel extends Deleted {
  /** As it was, with its fields. */
  readonly spec: AddedModel;
  readonly fields: Readonly<Record<string, CustomField>>;
}

export interface DeletedParts {
  readonly fields: readonly DeletedField[];
  readonly models: readonly DeletedModel[];
}

/** Fields and models that earlier revisions have and the newest one does not. */
export async function deletedParts(db: Queryable): Promise<DeletedParts> {
  const rows = await db.query<{ number: number; at: Date; extends: string; models: string | null }>(
    sql`select number, create_date as at, (document -> 'extends')::text as extends, (document -> 'models')::text as models
      from sys_custom_revision order by number`,
  );
  const fields = new Map<string, DeletedField>();
  const models = new Map<string, DeletedModel>();
  let before: CustomDocument = { extends: {}, views: [], words: {} };
  for (const { number, at, extends: text, models: own } of rows) {
    const now: CustomDocument = {
      ...(own && { models: JSON.parse(own) as AddedModels }),
      ...{ extends: JSON.parse(text) as CustomDocument['extends'], views: [], words: {} },
    };
    const gone = { revision: number - 1, at: new Date(at) };
    for (const model of Object.keys(before.extends)) {
      for (const [name, field] of Object.entries(fieldsIn(before, model)))
        if (!fieldIn(now, model, name)) fields.set(`${model}.${name}`, { model, name, field, ...gone });
    }
    for (const [model, spec] of Object.entries(before.models ?? {}))
      if (!modelIn(now, model)) models.set(model, { model, spec, fields: fieldsIn(before, model), ...gone });
    for (const model of Object.keys(now.extends))
      for (const name of Object.keys(fieldsIn(now, model))) fields.delete(`${model}.${name}`);
    for (const model of Object.keys(now.models ?? {})) models.delete(model);
    before = now;
  }
  return { fields: [...fields.values()], models: [...models.values()] };
}

/** Drops the column, or the table of links, of a field that is no longer declared. */
export async function dropDeleted(
  tx: Transaction,
  { models }: Registry,
  { model: of, name, field }: DeletedField,
): Promise<void> {
  const model = models.get(of);
  if (!model || model.fields.has(name)) return;
  const links = linksTable(of, name, field);
  if (links !== null) await tx.execute(sql`drop table if exists ${ident(links)}`);
  else await tx.execute(sql`alter table ${ident(model.table)} drop column if exists ${ident(name)}`);
}

function linksTable(model: string, name: string, { type, relation }: CustomField): string | null {
  return fieldTypes[type].isLinks && relation ? ownThrough(model, name, relation).table : null;
}

/** Drops the tables of a model that is no longer declared. */
export async function dropDeletedModel(
  tx: Transaction,
  { models }: Registry,
  { model, fields }: DeletedModel,
): Promise<void> {
  if (models.has(model)) return;
  for (const [name, field] of Object.entries(fields)) {
    const links = linksTable(model, name, field);
    if (links !== null) await tx.execute(sql`drop table if exists ${ident(links)}`);
  }
  // Parked links to it may be left.
  await tx.execute(sql`drop table if exists ${ident(model)} cascade`);
}
