import { ident, type Queryable, sql, type Transaction } from '@kontor/database';
import { ownThrough, type Registry } from '@kontor/orm';
import { fieldTypes } from '@kontor/protocol';
import { assembleModules } from '../assemble-modules.ts';
import { groupBy } from '../data/group-by.ts';
import type { InstallContext } from '../install-context.ts';
import { modulesToChange, readModuleStates } from '../module-rows.ts';
import { rowsWithField } from '../rename-references.ts';
import { type CustomDocument, type CustomField, customModule, fieldIn, fieldsIn } from './document.ts';
import { without } from './fit-document.ts';
import { mentions } from './view-steps.ts';

/** Something that names a field: a record, a view or another field. */
export interface FieldUse {
  /** The label of its model. */
  readonly kind: string;
  readonly name: string;
  /** Whose it may be; the caller checks who may see its name. */
  readonly record?: { readonly model: string; readonly id: number };
}

/** What uses an added field, in the given language: saved filters, tiles, rules, automations, webhooks, views, other fields. */
export async function customFieldUses(
  context: InstallContext,
  document: CustomDocument,
  { model, name }: { readonly model: string; readonly name: string },
  lang: string,
): Promise<readonly FieldUse[]> {
  const present = modulesToChange(context.catalogue, await readModuleStates(context.tx));
  const assemble = (given: CustomDocument) =>
    assembleModules({ ...context, publishedOf: async () => ({ number: 0, document: given }) }, present);
  const current = await assemble(document);
  const env = context.envFor(current.registryIn(lang), context.tx).sudo();
  const uses: FieldUse[] = [];
  for (const [of, rows] of groupBy(await rowsWithField(env, model, name), (row) => row.model)) {
    const ids = rows.map(({ id }) => id);
    const own: [string, '=' | '!=', unknown][] = of === 'sys.view' ? [['module', '!=', customModule]] : [];
    const found = await env.model(of).searchRead([['id', 'in', ids], ...own], ['display_name']);
    for (const { id, display_name } of found)
      uses.push({ kind: env.registry.model(of).label, name: String(display_name), record: { model: of, id } });
  }
  for (const { view, steps } of document.views) {
    if (steps.some((step) => mentions(step, name)))
      uses.push({ kind: env.registry.model('sys.view').label, name: view });
  }
  const fieldKind = env.registry.model('sys.field').label;
  const rest = await assemble(without(document, (at) => at === `${model}.${name}`));
  const known = new Set(current.custom.skipped.map(({ at }) => at));
  for (const { at } of rest.custom.skipped)
    if (!known.has(at)) uses.push({ kind: fieldKind, name: labelOf(document, at) });
  return uses;
}

function labelOf(document: CustomDocument, at: string): string {
  const dot = at.lastIndexOf('.');
  return fieldIn(document, at.slice(0, dot), at.slice(dot + 1))?.label ?? at;
}

/** For how long the data of a deleted field can be brought back. */
export const deletedDays = 30;

export interface DeletedField {
  readonly model: string;
  readonly name: string;
  /** As it was. */
  readonly field: CustomField;
  /** The last revision that has it. */
  readonly revision: number;
  /** When it was deleted. */
  readonly at: Date;
}

/** Fields that earlier revisions have and the newest one does not. */
export async function deletedFields(db: Queryable): Promise<readonly DeletedField[]> {
  const rows = await db.query<{ number: number; at: Date; extends: string }>(
    sql`select number, create_date as at, (document -> 'extends')::text as extends from sys_custom_revision order by number`,
  );
  const found = new Map<string, DeletedField>();
  let before: CustomDocument | null = null;
  for (const { number, at, extends: text } of rows) {
    const now: CustomDocument = { extends: JSON.parse(text) as CustomDocument['extends'], views: [], words: {} };
    for (const model of Object.keys(before?.extends ?? {})) {
      for (const [name, field] of Object.entries(fieldsIn(before as CustomDocument, model))) {
        if (fieldIn(now, model, name)) continue;
        found.set(`${model}.${name}`, { model, name, field, revision: number - 1, at: new Date(at) });
      }
    }
    for (const model of Object.keys(now.extends))
      for (const name of Object.keys(fieldsIn(now, model))) found.delete(`${model}.${name}`);
    before = now;
  }
  return [...found.values()];
}

/** Drops the column, or the table of links, of a field that is no longer declared. */
export async function dropDeleted(
  tx: Transaction,
  { models }: Registry,
  { model: of, name, field }: DeletedField,
): Promise<void> {
  const model = models.get(of);
  if (!model || model.fields.has(name)) return;
  const links = fieldTypes[field.type].isLinks && field.relation ? ownThrough(of, name, field.relation).table : null;
  if (links !== null) await tx.execute(sql`drop table if exists ${ident(links)}`);
  else await tx.execute(sql`alter table ${ident(model.table)} drop column if exists ${ident(name)}`);
}
