import { type Cell, empty, ident, join, type Sql, sql } from '@kontor/database';
import { conjoin, type DomainNode, invalidArgs, nearest, serializeDomain } from '@kontor/protocol';
import type { Env, Model, OrderTerm } from '../model/model.ts';
import type { GroupQuery, GroupRow } from '../records.ts';
import type { GroupColumn } from './group/group-column.ts';
import { parseGroupSpec } from './group/parse-group-spec.ts';
import { planGrouping } from './group/plan-grouping.ts';
import { type MeasureColumn, planMeasure } from './group/plan-measure.ts';
import { type Select, startSelect } from './projection/select.ts';
import { cutClause, tableOf, visibleRows } from './statement.ts';

interface GroupPlan {
  readonly select: Select;
  readonly where: Sql;
  readonly groups: readonly GroupColumn[];
  readonly measures: readonly MeasureColumn[];
}

/** Groups and aggregates the records that the caller may read, in one statement. Without groupby: one row of totals. */
export async function readGroup(env: Env, model: Model, spec: GroupQuery): Promise<GroupRow[]> {
  const asked = parseGroupSpec(spec);
  const select = startSelect(env, model);
  const where = visibleRows(select, asked.domain);
  const groups = asked.groupings.map((grouping, index) => planGrouping(select, grouping, grouped(index)));
  const measures = asked.measures.map((measure) => planMeasure(select, measure));
  const plan = { select, where, groups, measures };
  checkKeys(plan);
  const order = orderOf(plan, asked.order);
  const cut = cutClause(asked.limit, asked.offset);
  if (asked.limit === 0) return [];
  const rows = await env.db.arrays(sql`${groupStatement(plan)}${order}${cut}`);
  return rows.map((row) => groupRow(plan, asked.domain, row));
}

function grouped(index: number): Sql {
  return ident('a', `g${index}`);
}

/** Values per record, then groups, then what is asked of each group: names are looked up once per group, not per record. */
function groupStatement({ select, where, groups, measures }: GroupPlan): Sql {
  const values = [
    ...groups.map((group, index) => sql`${group.value} as ${ident(`g${index}`)}`),
    ...measures.map((measure, index) => sql`${measure.value} as ${ident(`m${index}`)}`),
  ];
  const aggregates = [
    ...groups.map((_, index) => ident('s', `g${index}`)),
    sql`count(*) as n`,
    ...measures.map((measure, index) => sql`${measure.aggregate(ident('s', `m${index}`))} as ${ident(`m${index}`)}`),
  ];
  const outer = [
    sql`a.n`,
    ...groups.flatMap((group) => group.outer),
    ...measures.map((_, index) => ident('a', `m${index}`)),
  ];
  const perRecord = sql`select ${join(values)} from ${tableOf(select)}${join(select.joinClauses, empty)} where ${where}`;
  const by = groups.length === 0 ? empty : sql` group by ${join(groups.map((_, index) => ident('s', `g${index}`)))}`;
  const names = groups.flatMap((group) => group.join ?? []);
  return sql`select ${join(outer)} from (select ${join(aggregates)} from (${perRecord}) s${by}) a${join(names, empty)}`;
}

/** Row keys in the order asked for; then by the groups themselves, so that paging is stable. */
function orderOf({ groups, measures }: GroupPlan, terms: readonly OrderTerm[]): Sql {
  const sorts = new Map<string, readonly Sql[]>([['__count', [sql`a.n`]]]);
  for (const group of groups) for (const [key, by] of group.sorts) sorts.set(key, by);
  for (const [index, measure] of measures.entries()) sorts.set(measure.name, [ident('a', `m${index}`)]);
  const parts = terms.flatMap(({ path, descending }) => {
    const key = path.join('.');
    const by = sorts.get(key);
    if (!by) throw unknownKey(key, [...sorts.keys()]);
    return by.map((value) => (descending ? sql`${value} desc` : value));
  });
  for (const group of groups) parts.push(...(group.sorts.get(group.key) ?? []));
  return parts.length === 0 ? empty : sql` order by ${join(parts)}`;
}

function unknownKey(key: string, keys: readonly string[]): Error {
  const near = nearest(key, keys);
  return invalidArgs(`Groups cannot be sorted by ${JSON.stringify(key)}.`, {
    field: key,
    hint: near ? `Did you mean ${near}?` : keys.join(', '),
  });
}

/** A measure must not take the key under which a group tells its name. */
function checkKeys({ groups, measures }: GroupPlan): void {
  const keys = new Set(groups.flatMap((group) => [...group.sorts.keys()]));
  const taken = measures.find((measure) => keys.has(measure.name));
  if (taken) throw invalidArgs(`${taken.name} is asked for twice.`, { field: taken.name });
}

function groupRow({ groups, measures }: GroupPlan, domain: DomainNode, row: readonly Cell[]): GroupRow {
  const built: Record<string, unknown> = {};
  const conditions: DomainNode[] = [];
  let at = 1;
  for (const group of groups) {
    const cells = row.slice(at, at + group.outer.length);
    at += group.outer.length;
    for (const [key, value] of group.entries(cells)) built[key] = value;
    conditions.push(group.condition(cells));
  }
  for (const measure of measures) built[measure.name] = measure.read(row[at++] as Cell);
  const __domain = serializeDomain(conjoin(domain, ...conditions));
  return { ...built, __count: Number(row[0]), __domain };
}
