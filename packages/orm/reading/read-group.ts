import { type Cell, empty, ident, join, type Sql, sql } from '@kontor/database';
import { conjoin, type DomainNode, invalidArgs, type MoneyTotal, nearest, serializeDomain } from '@kontor/protocol';
import { mapInTurns } from '../fields/to-json.ts';
import type { Env, Model, OrderTerm } from '../model/model.ts';
import type { GroupQuery, GroupRow } from '../model/records.ts';
import { askedOf, counting } from './asked.ts';
import { answerTooLarge, budgets, overBudget } from './budgets.ts';
import { type TargetCurrency, targetCurrency } from './group/convert-amounts.ts';
import { ascending, type GroupColumn } from './group/group-column.ts';
import { type GroupPlan, groupStatement } from './group/group-statement.ts';
import { parseGroupSpec } from './group/parse-group-spec.ts';
import { planCurrency, planGrouping } from './group/plan-grouping.ts';
import { type MeasureColumn, planMeasure } from './group/plan-measure.ts';
import { orderClause, type SortTerm } from './order.ts';
import { readCohort } from './read-cohort.ts';
import { readDays } from './read-days.ts';
import { readLoad } from './read-load.ts';
import { cutClause, type Select, startSelect, visibleRows } from './select.ts';

/** Groups and aggregates the records that the caller may read, in one statement. Without groupby: one row of totals. */
export async function readGroup(env: Env, model: Model, spec: GroupQuery): Promise<GroupRow[]> {
  const asked = parseGroupSpec(spec);
  const target = await targetCurrency(env, asked.moneyIn);
  if (asked.cohort)
    return readCohort(env, model, { ...asked.cohort, domain: asked.domain, measure: asked.measures[0], target });
  if (asked.load) return readLoad(env, model, { ...asked.load, domain: asked.domain });
  if (asked.days) return readDays(env, model, { ...asked.days, domain: asked.domain });
  const { plan, statement, isNothing } = planQuestion(env, model, asked, target);
  if (isNothing) return [];
  const rows = await counting(askedOf(model, asked.domain, null), env.db.arrays(statement));
  if (env.isOutside) checkGroups(rows.length, asked.domain);
  return mapInTurns(rows, (row) => groupRow(plan, asked.domain, row));
}

/**
 * The answers of several questions in one statement, each as `readGroup` would return it. All have the same measures,
 * and each groups by a subset of the first one's groups: this year by month and customer, the previous year by month,
 * and its total.
 */
export async function readGroups(env: Env, model: Model, specs: readonly GroupQuery[]): Promise<GroupRow[][]> {
  const parsed = specs.map(parseGroupSpec);
  // One currency for all: they share their columns.
  const target = await targetCurrency(env, parsed[0]?.moneyIn ?? null);
  const questions = parsed.map((asked) => ({ ...planQuestion(env, model, asked, target), domain: asked.domain }));
  const [first] = questions;
  if (!first) return [];
  const columns = columnsOf(first.plan);
  const parts = questions.map(({ plan, statement }, index) => {
    const own = columnsOf(plan);
    const cells = columns.map((key, at) => (own.includes(key) ? ident('s', `c${at}`) : sql`null`));
    const names = own.map((key) => ident(`c${columns.indexOf(key)}`));
    return sql`select ${index}::int4, row_number() over (), ${join(cells)} from (${statement}) s(${join(names)})`;
  });
  const rows = await env.db.arrays(sql`${join(parts, sql` union all `)} order by 1, 2`);
  return questions.map(({ plan, domain }, index) => {
    const places = columnsOf(plan).map((key) => columns.indexOf(key) + 2);
    const mine = rows.filter((row) => row[0] === index);
    if (env.isOutside) checkGroups(mine.length, domain);
    return mine.map((row) =>
      groupRow(
        plan,
        domain,
        places.map((at) => row[at] as Cell),
      ),
    );
  });
}

/** The content of each column of a plan's statement, in order: the same key in two plans is the same column. */
function columnsOf({ groups, measures, currencies }: GroupPlan): readonly string[] {
  return [
    ...['count', 'set'],
    ...groups.flatMap(({ key, outer }) => outer.map((_, at) => `group ${key} ${at}`)),
    ...measures.map(({ name }) => `measure ${name}`),
    ...currencies.map(({ column }) => `money ${column.key}`),
  ];
}

function planQuestion(env: Env, model: Model, asked: ReturnType<typeof parseGroupSpec>, target: TargetCurrency | null) {
  const select = startSelect(env, model);
  const where = visibleRows(select, asked.domain);
  const groups = asked.groupings.map((grouping, index) => planGrouping(select, grouping, ident('a', `g${index}`)));
  const measures = asked.measures.map((measure) => planMeasure(select, measure, target));
  const currencies = asked.isMoneyApart ? planCurrencies(select, measures, target) : [];
  const { sets, running } = asked;
  const plan: GroupPlan = { select, where, groups, measures, sets, running, currencies, target };
  checkKeys(plan);
  checkRunning(plan);
  const order = orderOf(plan, asked.order);
  const cut = cutClause(mostGroups(env, asked.limit), asked.offset);
  return { plan, statement: sql`${groupStatement(plan)}${order}${cut}`, isNothing: asked.limit === 0 };
}

/** One more than an external caller may get, to detect that there are more. */
function mostGroups({ isOutside }: Env, limit: number | undefined): number | undefined {
  if (!isOutside || (limit !== undefined && limit <= budgets.groups)) return limit;
  if (limit !== undefined) throw tooManyGroups();
  return budgets.groups + 1;
}

/** Each row carries the domain of the call. */
function checkGroups(rows: number, domain: DomainNode): void {
  if (rows > budgets.groups) throw tooManyGroups();
  if (rows * JSON.stringify(serializeDomain(domain)).length <= budgets.bytes) return;
  throw answerTooLarge();
}

function tooManyGroups(): Error {
  return overBudget({
    budget: 'groups',
    limit: budgets.groups,
    message: `There are more than ${budgets.groups} groups.`,
    field: 'limit',
    hint: 'Use a limit and an offset, or group by fewer fields.',
  });
}

/** The currencies of all measured amounts, each once. */
function planCurrencies(
  select: Select,
  measures: readonly MeasureColumn[],
  target: TargetCurrency | null,
): GroupPlan['currencies'] {
  const paths = new Map<string, { readonly path: readonly string[]; readonly measures: number[] }>();
  for (const [index, { currency }] of measures.entries()) {
    if (currency === null) continue;
    const key = currency.join('.');
    const found = paths.get(key) ?? { path: currency, measures: [] };
    paths.set(key, found);
    found.measures.push(index);
  }
  return [...paths].map(([key, { path, measures: own }], index) => ({
    column: planCurrency(select, { key, path }, ident('p', `c${index + 1}`), target),
    measures: own,
  }));
}

/** Sets one after the other; each is sorted by the given keys, then by the groups, so that paging is stable. */
function orderOf({ groups, measures, sets }: GroupPlan, terms: readonly OrderTerm[]): Sql {
  const sorts = new Map<string, readonly SortTerm[]>([['__count', ascending(sql`a.n`)]]);
  for (const group of groups) for (const [key, by] of group.sorts) sorts.set(key, by);
  for (const [index, measure] of measures.entries()) sorts.set(measure.name, ascending(ident('a', `m${index}`)));
  const parts = terms.flatMap(({ path, descending }) => {
    const key = path.join('.');
    const by = sorts.get(key);
    if (!by) throw unknownKey(key, [...sorts.keys()]);
    return by.map((term) => ({ ...term, descending: term.descending !== descending }));
  });
  for (const group of groups) parts.push(...(group.sorts.get(group.key) ?? []));
  if (sets.length > 1) parts.unshift(...ascending(sql`a.gs`));
  return parts.length === 0 ? empty : sql` order by ${join(orderClause(parts))}`;
}

function unknownKey(key: string, keys: readonly string[]): Error {
  const near = nearest(key, keys);
  return invalidArgs(`Groups cannot be sorted by ${JSON.stringify(key)}.`, {
    field: key,
    hint: near ? `Did you mean ${near}?` : keys.join(', '),
  });
}

/** A measure must not have the same key as the name of a group. */
function checkKeys({ groups, measures }: GroupPlan): void {
  const keys = new Set(groups.flatMap((group) => [...group.sorts.keys()]));
  const taken = measures.find((measure) => keys.has(measure.name));
  if (taken) throw invalidArgs(`${taken.name} is asked for twice.`, { field: taken.name });
}

/** Averages and distinct counts do not add up. */
function checkRunning({ measures, running }: GroupPlan): void {
  const unfit = running < 0 ? undefined : measures.find((measure) => measure.running(empty, empty) === null);
  if (unfit) throw invalidArgs(`Only sums and counts add up; ${unfit.name} is neither.`, { field: unfit.name });
}

function groupRow(plan: GroupPlan, domain: DomainNode, row: readonly Cell[]): GroupRow {
  const { groups, measures, sets, running, currencies } = plan;
  const places = sets[Number(row[1])] ?? [];
  const built: Record<string, unknown> = {};
  const conditions: DomainNode[] = [];
  let at = 2;
  for (const [place, group] of groups.entries()) {
    const cells = row.slice(at, at + group.outer.length);
    at += group.outer.length;
    if (!places.includes(place)) continue;
    for (const [key, value] of group.entries(cells)) built[key] = value;
    conditions.push(place === running ? upTo(group, cells) : group.condition(cells));
  }
  for (const measure of measures) built[measure.name] = measure.read(row[at++] as Cell);
  const __money = currencies.length === 0 ? null : moneyOf(plan, row.slice(at));
  // Amounts of several currencies have no sum; converted ones are rounded in their currency.
  for (const [name, totals] of Object.entries(__money ?? {})) {
    if (totals.length > 1) built[name] = null;
    else if (plan.target && totals[0]) built[name] = totals[0].value;
  }
  const __domain = serializeDomain(conjoin(domain, ...conditions));
  return { ...built, __count: Number(row[0]), __domain, ...(__money && { __money }) };
}

/** Matches all dates up to the end of a bucket. Records without a date are last, so their group has all records. */
function upTo(group: GroupColumn, [label = null, , to = null]: readonly Cell[]): DomainNode {
  return label === null ? conjoin() : group.condition([label, null, to]);
}

/** Amounts by currency. Zero amounts are left out if another is not zero. */
function moneyOf({ measures, currencies }: GroupPlan, cells: readonly Cell[]): NonNullable<GroupRow['__money']> {
  const money: Record<string, readonly MoneyTotal[]> = {};
  for (const [index, currency] of currencies.entries()) {
    const rows = JSON.parse(String(cells[index] ?? '[]')) as (string | null)[][];
    for (const [at, place] of currency.measures.entries()) {
      const measure = measures[place] as MeasureColumn;
      const totals = rows.map((row) => ({
        currency: row[0] ?? null,
        value: measure.read(row[at + 1] ?? null) as MoneyTotal['value'],
      }));
      const some = totals.filter(({ value }) => !measure.isNothing(value));
      money[measure.name] = some.length > 0 ? some : totals.slice(0, 1);
    }
  }
  return money;
}
