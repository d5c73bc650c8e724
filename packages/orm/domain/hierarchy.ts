import { ident, type Sql, sql } from '@kontor/database';
import { type Criterion, invalidArgs } from '@kontor/protocol';
import type { Model } from '../model/model.ts';
import type { Compiler } from './compiler.ts';

type Hierarchy = Extract<Criterion, { kind: 'hierarchy' }>;

/**
 * Whether an id lies below (or above) the given records, which count themselves. Follows `parent_id`; `union` drops what was
 * already found, so that a circle in the data ends.
 */
export function hierarchySql(compiler: Compiler, model: Model, criterion: Hierarchy, id: Sql): Sql {
  const table = ident(model.table);
  const parent = parentColumn(model);
  const [tree, row] = [compiler.alias(), compiler.alias()];
  const isUp = criterion.direction === 'up';
  const ids = criterion.ids.filter((one) => one > 0 && one < 2 ** 31);
  const found = sql`${ident(row, 'id')}, ${ident(row, parent)}`;
  const step = isUp
    ? sql`${ident(row, 'id')} = ${ident(tree, 'parent')}`
    : sql`${ident(row, parent)} = ${ident(tree, 'id')}`;
  return sql`${id} in (with recursive ${ident(tree)} ("id", "parent") as (select ${found} from ${table} as ${ident(row)} where ${ident(row, 'id')} = any(${ids}::int4[]) union select ${found} from ${table} as ${ident(row)} join ${ident(tree)} on ${step}) select "id" from ${ident(tree)})`;
}

function parentColumn(model: Model): string {
  const parent = model.fields.get('parent_id');
  if (parent?.column && parent.spec.relation === model.name) return parent.column;
  throw invalidArgs(`${model.name} is not a tree: child_of and parent_of need a field parent_id that points at it.`, {
    field: 'parent_id',
  });
}
