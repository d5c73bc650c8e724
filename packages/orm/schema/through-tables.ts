import { compile, type ForeignKeySpec, ident, type TableSpec } from '@kontor/database';
import { databaseName } from '../model/database-name.ts';
import type { Field, Model, Registry } from '../model/model.ts';

/** The tables between the two sides of many2many fields. Two fields that share one table are its two sides. */
export function throughTables(registry: Registry): TableSpec[] {
  const tables = new Map<string, TableSpec>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (field.through && !tables.has(field.through.table)) {
        tables.set(field.through.table, throughTable(registry, model, field, field.through));
      }
    }
  }
  return [...tables.values()];
}

function throughTable(
  registry: Registry,
  model: Model,
  field: Field,
  through: NonNullable<Field['through']>,
): TableSpec {
  const { table, own, other } = through;
  const related = registry.models.get(field.spec.relation ?? '');
  const key = (column: string, target: string): ForeignKeySpec => ({
    name: databaseName(table, column, 'fk'),
    column,
    table: target,
    onDelete: 'cascade',
  });
  // Sorted, so that the table is the same whichever side is met first.
  const sides = [own, other].sort() as [string, string];
  const reverse = [sides[1], sides[0]];
  return {
    name: table,
    hasId: false,
    columns: sides.map((name) => ({ name, type: 'integer', notNull: true })),
    primaryKey: sides,
    foreignKeys: [key(own, model.table), ...(related ? [key(other, related.table)] : [])],
    indexes: [
      {
        name: databaseName(table, ...reverse, 'idx'),
        columns: reverse.map((column) => compile(ident(column)).text),
        unique: false,
      },
    ],
    checks: [],
  };
}
