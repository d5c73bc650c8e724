import { type Database, ident, join, sql } from '@kontor/database';
import { fields } from '../../author/builders.ts';
import { defineModel } from '../../model/define-model.ts';
import type { ModelDefinition } from '../../model/definition.ts';
import type { Model } from '../../model/model.ts';

export const tag = defineModel('x.tag', { fields: { name: fields.char() } });

export const node = defineModel('x.node', {
  displayName: '{name} ({code})',
  fields: {
    name: fields.char(),
    code: fields.char(),
    parent_id: fields.many2one('x.node'),
    item_ids: fields.one2many('x.item', 'node_id'),
  },
});

export const line = defineModel('x.line', {
  fields: {
    item_id: fields.many2one('x.item', { ondelete: 'cascade' }),
    label: fields.char(),
    qty: fields.integer(),
    node_id: fields.many2one('x.node'),
  },
});

export const item = defineModel('x.item', {
  label: 'Item',
  fields: {
    name: fields.char({ size: 64 }),
    note: fields.text(),
    state: fields.selection({ draft: 'Draft', done: 'Done' }),
    ref: fields.reference(),
    qty: fields.integer(),
    ratio: fields.float(),
    amount: fields.decimal({ precision: [24, 6] }),
    flag: fields.boolean(),
    day: fields.date(),
    at: fields.datetime(),
    blob: fields.binary(),
    data: fields.json(),
    node_id: fields.many2one('x.node'),
    line_ids: fields.one2many('x.line', 'item_id'),
    tag_ids: fields.many2many('x.tag'),
    node_code: fields.char({ related: 'node_id.code' }),
    line_qty: fields.integer({ computed: true }),
    line_count: fields.integer({ computed: true }),
    is_big: fields.boolean({ computed: true }),
    shout: fields.char({ computed: true }),
    cost: fields.monetary({ groups: ['x.manager'] }),
    token: fields.char({ secret: true }),
  },
  computes: {
    line_qty: { sum: 'line_ids.qty' },
    line_count: { count: 'line_ids' },
    is_big: {
      depends: ['qty'],
      value: (record) => (record.qty as number) > 10,
      search(_operator, value) {
        if (value === null) return [['id', 'in', []]];
        return value === true ? [['qty', '>', 10]] : ['!', ['qty', '>', 10]];
      },
    },
    shout: { depends: ['name'], value: (record) => String(record.name).toUpperCase() },
  },
});

export const definitions: readonly ModelDefinition[] = [tag, node, line, item];

/** Rows by model; x2many fields are not columns and are left to `links`. */
export type Rows = readonly (Readonly<Record<string, unknown>> & { readonly id: number })[];

/** Straight into the table: what is compared here must not depend on the code that writes records. */
export async function insertRows(db: Database, model: Model, rows: Rows): Promise<void> {
  for (const row of rows) {
    const names = Object.keys(row).filter((name) => model.fields.get(name)?.isStored);
    const columns = names.map((name) => ident(model.fields.get(name)?.column as string));
    const values = names.map((name) => sql`${row[name]}`);
    await db.execute(
      sql`insert into ${ident(model.table)} (${join(columns)}) overriding system value values (${join(values)})`,
    );
  }
}

export async function insertLinks(
  db: Database,
  model: Model,
  field: string,
  pairs: readonly (readonly [number, number])[],
) {
  const through = model.fields.get(field)?.through;
  if (!through) throw new Error(`${field} is no many2many`);
  const { table, own, other } = through;
  for (const [left, right] of pairs) {
    await db.execute(
      sql`insert into ${ident(table)} (${ident(own)}, ${ident(other)}) values (${left}, ${right}) on conflict do nothing`,
    );
  }
}
