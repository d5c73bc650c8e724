import { empty, ident, join, precompile, type Sql, slot, sql } from '@kontor/database';
import { checkModelAccess, mayAccessModel } from '../../access/model-access.ts';
import { checkCovered } from '../../access/scope.ts';
import type { ComputeByValue } from '../../model/behaviour.ts';
import type { Field } from '../../model/model.ts';
import { orderTerms } from '../order.ts';
import { addColumn, fieldColumn, idColumn, type JoinedTable, type Select, selectFrom, startSelect } from '../select.ts';
import { type CellOutput, type ComputedOutput, type LinesOutput, makePlan, type Output } from './plan.ts';

/** Plans the lines of an x2many on the select of their model. */
type PlanLines = (select: Select) => readonly Output[];

export function planCell(select: Select, table: JoinedTable, field: Field, key: string): CellOutput {
  const absent = table.prefix === '' ? field.kind.fromCell(null) : null;
  return { type: 'cell', key, index: fieldColumn(select, table, field), field, absent };
}

export function planComputed(
  select: Select,
  table: JoinedTable,
  field: Field & { readonly compute: ComputeByValue },
  options: { readonly key: string; readonly asRecords: boolean },
): ComputedOutput {
  const { model } = table;
  return {
    type: 'computed',
    owner: idColumn(select, table),
    model,
    field,
    inputs: planInputs(select, table, field),
    ...options,
  };
}

/** A compute that reads only columns of its own record gets them with the row, without another statement. */
function planInputs(
  select: Select,
  table: JoinedTable,
  field: Field & { readonly compute: ComputeByValue },
): readonly CellOutput[] | null {
  const inputs = field.compute.depends.map((path) => table.model.fields.get(path));
  if (!inputs.every((input) => input?.isStored)) return null;
  return (inputs as readonly Field[]).map((input) => ({
    type: 'cell',
    key: input.name,
    index: fieldColumn(select, table, input),
    field: input,
    absent: input.kind.fromCell(null),
  }));
}

/** Without `planChild` only ids are read; for a model that the caller may not read, there are none. */
export function planLines(
  select: Select,
  table: JoinedTable,
  field: Field,
  options: { readonly key: string; readonly asIds: boolean; readonly planChild?: PlanLines },
): LinesOutput {
  const owner = idColumn(select, table);
  const { key, asIds } = options;
  const model = select.env.registry.model(field.spec.relation as string);
  checkCovered(select.env, model, 'read');
  if (!options.planChild && !mayAccessModel(select.env, model, 'read')) {
    return { type: 'lines', key, owner, field, child: null, childOwner: 0, asIds };
  }
  checkModelAccess(select.env, model, 'read');
  const lines = startSelect(select.env, model, 't', select.compiler);
  const childOwner = addColumn(lines, 'owner', ownerColumn(select, field));
  const { outputs, lines: nested, computed } = makePlan(lines, options.planChild?.(lines) ?? []);
  const statement = precompile(linesStatement(lines, field, childOwner));
  const isCacheable = lines.compiler.isCacheable && nested.every((each) => each.child?.isCacheable !== false);
  const child = { outputs, lines: nested, computed, statement, isCacheable };
  return { type: 'lines', key, owner, field, child, childOwner, asIds };
}

const ownersSlot = slot((owners: readonly number[]) => owners);

function linesStatement(select: Select, { through }: Field, owner: number): Sql {
  const order = orderTerms(select, undefined);
  const rule = select.compiler.rules(select.model, 'read', select.alias);
  const table = sql`${ident(select.model.table)} ${ident(select.alias)}`;
  const source = through
    ? sql`${ident(through.table)} r join ${table} on ${ident(select.alias, 'id')} = ${ident('r', through.other)}`
    : table;
  const isTheirs = sql`${select.columns[owner] as Sql} = any(${ownersSlot}::int4[])`;
  return selectFrom(select, source, sql` where ${isTheirs}${rule ? sql` and ${rule}` : empty} order by ${join(order)}`);
}

function ownerColumn(select: Select, field: Field) {
  if (field.through) return sql`${ident('r', field.through.own)}`;
  const inverse = select.env.registry.model(field.spec.relation as string).fields.get(field.spec.inverse as string);
  if (!inverse?.column)
    throw new Error(`${field.model}.${field.name}: its inverse ${field.spec.inverse} is not stored.`);
  return sql`${ident('t', inverse.column)}`;
}
