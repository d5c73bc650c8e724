import { empty, ident, join, type Sql, sql } from '@kontor/database';
import { invalidArgs, isToken } from '@kontor/protocol';
import { mayAccessModel } from '../../access/model-access.ts';
import { checkCovered } from '../../access/scope.ts';
import { isDecimal } from '../../fields/decimal.ts';
import type { Env, Field, Model } from '../../model/model.ts';
import { type SortTerm, sortTerms } from '../order.ts';
import { fieldAt, isComputedOnRead, type JoinedTable, type Select, startSelect, walk } from '../select.ts';
import { planConversion, type TargetCurrency } from './convert-amounts.ts';
import { ascending, condition, type GroupColumn, isEmpty, isPathBroken, nullIfBlank } from './group-column.ts';
import type { Grouping } from './parse-group-spec.ts';
import { planBucket } from './plan-bucket.ts';

/** Plans one groupby entry; `at` is the SQL of its value in a finished group. */
export function planGrouping(select: Select, grouping: Grouping, at: Sql): GroupColumn {
  const { table, field } = walk(select, grouping.path);
  const asked = grouping.path.join('.');
  if (!field.kind.isGroupable || isComputedOnRead(field)) {
    throw invalidArgs(`Records cannot be grouped by ${asked}.`, { field: asked });
  }
  if (grouping.granularity !== null) return planBucket(select, grouping, grouping.granularity, { table, field, at });
  if (field.kind.isLinks) return planTags(select, grouping, { table, field, at });
  const value = fieldAt(select, table, field);
  if (field.kind.isToOne) return planRelation(select, grouping, { field, at, value });
  if (field.kind.isBoolean) return planBoolean(grouping, { at, value });
  return planPlain(grouping, { field, at, value });
}

/** The currencies of amounts; those that are converted are all in the target. */
export function planCurrency(
  select: Select,
  { key, path }: Pick<Grouping, 'key' | 'path'>,
  at: Sql,
  target: TargetCurrency | null,
): GroupColumn {
  const column = planGrouping(select, { key, path, granularity: null }, at);
  return target ? { ...column, value: planConversion(select, path, target).currency } : column;
}

function planPlain(
  { key, path }: Grouping,
  { field, at, value }: { readonly field: Field; readonly at: Sql; readonly value: Sql },
): GroupColumn {
  const choices = field.selection && [...field.selection.keys()];
  return {
    key,
    value: nullIfBlank(field, value),
    lines: null,
    outer: [at],
    join: null,
    // Choices in the order in which the model lists them.
    sorts: new Map([[key, ascending(...(choices ? [sql`array_position(${choices}::text[], ${at}::text)`] : []), at)]]),
    entries: ([cell]) => [[key, field.kind.fromCell(cell ?? null)]],
    condition: ([cell]) => (cell === null ? isEmpty(path) : equals(path, field.kind.fromCell(cell ?? null))),
  };
}

function equals(path: readonly string[], value: unknown) {
  if (isDecimal(value)) return condition(path, '=', value.toFixed());
  // As a pattern, a text such as `$uid` is not replaced like a token.
  if (isToken(value)) return condition(path, '=like', (value as string).replaceAll(/[\\%_]/g, '\\$&'));
  return condition(path, '=', value);
}

/** An empty boolean is false, so there are two groups; a third one contains records without the related record. */
function planBoolean({ key, path }: Grouping, { at, value }: { readonly at: Sql; readonly value: Sql }): GroupColumn {
  return {
    key,
    value: path.length === 1 ? sql`coalesce(${value}, false)` : value,
    lines: null,
    outer: [at],
    join: null,
    sorts: new Map([[key, ascending(at)]]),
    entries: ([cell]) => [[key, cell]],
    condition: ([cell]) => (cell === null ? isPathBroken(path) : condition(path, '=', cell)),
  };
}

/** Groups by a related record. Its name is joined once per group; the rules may hide it. */
function planRelation(
  select: Select,
  { key, path }: Grouping,
  { field, at, value }: { readonly field: Field; readonly at: Sql; readonly value: Sql },
): GroupColumn {
  const { env, compiler } = select;
  const model = env.registry.model(field.spec.relation as string);
  const alias = compiler.alias();
  const isReadable = mayAccessModel(env, model, 'read');
  const rule = isReadable ? compiler.rules(model, 'read', alias) : null;
  const name = isReadable
    ? sql`case when ${ident(alias, 'id')} is not null then ${compiler.displayName(model, alias)} end`
    : sql`null::text`;
  const nameKey = `${key}.display_name`;
  const byName = ascending(name, at);
  const own = isReadable && hasOwnOrder(model) ? ownOrder(env, model, alias) : null;
  return {
    key,
    value,
    lines: null,
    outer: [at, name],
    join: isReadable
      ? sql` left join ${ident(model.table)} ${ident(alias)} on ${ident(alias, 'id')} = ${at}${rule ? sql` and ${rule}` : empty}${own ? own.joins : empty}`
      : null,
    sorts: new Map([
      [key, own ? [...own.terms, ...byName] : byName],
      [nameKey, byName],
      ...sequenceSort(key, model, isReadable ? alias : null),
    ]),
    entries: ([id, text]) => [
      [key, id],
      [nameKey, text],
    ],
    condition: ([id]) => (id === null ? isEmpty(path) : condition(path, 'in', [id])),
  };
}

/** Stages and other records that users order can be sorted by it: `stage_id.sequence`. */
function sequenceSort(
  key: string,
  model: Model,
  alias: string | null,
): readonly (readonly [string, readonly SortTerm[]])[] {
  const column = model.order[0]?.path.join('.') === 'sequence' ? model.fields.get('sequence')?.column : null;
  return alias === null || !column ? [] : [[`${key}.sequence`, ascending(ident(alias, column))]];
}

/** An order by id means nothing to users. */
function hasOwnOrder({ order }: Model): boolean {
  return order.some(({ path, descending }) => descending || path.join('.') !== 'id');
}

/** The default order of the related model, such as the sequence of stages. Groups without a record are last. */
function ownOrder(env: Env, model: Model, alias: string): { readonly terms: readonly SortTerm[]; readonly joins: Sql } {
  const related = startSelect(env, model, alias);
  const isNone = sql`${ident(alias, 'id')} is null`;
  const terms = [...ascending(isNone), ...sortTerms(related)];
  return { terms, joins: join(related.joinClauses, empty) };
}

/** A record is in the group of each of its related records that the caller may see. */
function planTags(
  select: Select,
  grouping: Grouping,
  { table, field, at }: { readonly table: JoinedTable; readonly field: Field; readonly at: Sql },
): GroupColumn {
  const { env, compiler } = select;
  const through = field.through as NonNullable<Field['through']>;
  const model = env.registry.model(field.spec.relation as string);
  const alias = compiler.alias();
  const link = compiler.alias();
  checkCovered(env, model, 'read');
  const visible = compiler.visible(model, alias);
  const lines = sql` left join (${ident(through.table)} ${ident(link)} join ${ident(model.table)} ${ident(alias)} on ${ident(alias, 'id')} = ${ident(link, through.other)}${visible ? sql` and ${visible}` : empty}) on ${ident(link, through.own)} = ${ident(table.alias, 'id')}`;
  return { ...planRelation(select, grouping, { field, at, value: ident(alias, 'id') }), lines };
}
