import { type Cell, empty, join, literal, type Sql, sql } from '@kontor/database';
import {
  type CohortRow,
  type CohortSpec,
  conjoin,
  type DomainNode,
  disjoin,
  invalidArgs,
  serializeDomain,
} from '@kontor/protocol';
import { envTokens } from '../domain/compile-domain.ts';
import type { Env, Model } from '../model/model.ts';
import { weeksOf } from '../model/policy.ts';
import { roundedAmount, type TargetCurrency } from './group/convert-amounts.ts';
import { bucketAfter, bucketStart, bucketsBetween } from './group/granularity.ts';
import { condition, type GroupColumn, isEmpty } from './group/group-column.ts';
import { type MeasureAsked, parseGrouping } from './group/parse-group-spec.ts';
import { planCurrency, planGrouping } from './group/plan-grouping.ts';
import { type MeasureColumn, planMeasure } from './group/plan-measure.ts';
import { type Select, startSelect, tableOf, visibleRows } from './select.ts';

/** More than fits on a screen. If there are more periods, only the newest are shown. */
const maxPeriods = 120;
const maxAge = 59;

interface CohortQuery extends CohortSpec {
  readonly domain: DomainNode;
  readonly measure: MeasureAsked | undefined;
  /** The currency that amounts are converted into. */
  readonly target: TargetCurrency | null;
}

interface CohortPlan extends CohortSpec {
  readonly domain: DomainNode;
  readonly select: Select;
  readonly where: Sql;
  readonly today: string;
  readonly began: GroupColumn;
  /** The same for the last period of a row. */
  readonly last: GroupColumn;
  readonly ended: GroupColumn;
  readonly measure: MeasureColumn;
  readonly currency: GroupColumn | null;
  readonly target: TargetCurrency | null;
}

/**
 * For the records that began in each period: how many are left in that period and in each later one, up to today; and the same
 * for all periods together. One statement. A record counts up to and including the period in which it ended.
 */
export async function readCohort(env: Env, model: Model, query: CohortQuery): Promise<CohortRow[]> {
  const { domain, measure: asked, start, stop, interval, target } = query;
  if (asked?.measure !== 'sum' && asked?.measure !== 'count') {
    throw invalidArgs('A cohort shows a sum or a count.', { field: asked?.name ?? 'fields' });
  }
  const select = startSelect(env, model);
  const where = visibleRows(select, domain);
  const measure = planMeasure(select, asked, target);
  const path = measure.currency;
  const plan: CohortPlan = {
    ...{ domain, start, stop, interval, select, where, measure, target, today: envTokens(env).today },
    began: planGrouping(select, parseGrouping(`${start}:${interval}`), sql`a.b`),
    last: planGrouping(select, parseGrouping(`${start}:${interval}`), sql`a.z`),
    ended: planGrouping(select, parseGrouping(`${stop}:${interval}`), bucketAfter(sql`a.b`, interval, sql`a.k`)),
    currency: path && planCurrency(select, { key: path.join('.'), path }, sql`a.c`, target),
  };
  const rows = await env.db.arrays(cohortStatement(plan));
  return rows.map((row) => cohortRow(plan, row));
}

/**
 * `f`: records by the period in which they began and the number of periods until they ended; `p`: the periods; `g`: how many
 * ended after each number of periods; `w`: how many are left at each age; `m`: whether amounts are in several currencies, or
 * in another than the target.
 */
function cohortStatement(plan: CohortPlan): Sql {
  const { select, where, interval, today, began, last, ended, measure, currency, target } = plan;
  const whole = (figure: Sql) => (target && currency ? roundedAmount(figure, target) : figure);
  const isMixed =
    target && currency
      ? sql`coalesce(bool_or(f.c is distinct from ${target.id}::int4), false)`
      : sql`count(distinct coalesce(f.c, 0)) > 1`;
  const values = [
    sql`${began.value} as b`,
    // Not `greatest`, which ignores null: a record without an end would end at once.
    sql`case when ${ended.value} < ${began.value} then 0 else ${bucketsBetween(began.value, ended.value, interval)} end as l`,
    sql`${currency ? currency.value : sql`null::int4`} as c`,
    sql`${measure.value} as m`,
  ];
  const own = measure.parts(sql`s.m`)?.[0] ?? sql`null`;
  const records = sql`select ${join(values)} from ${tableOf(select)}${join(select.joinClauses, empty)} where ${where}`;
  const now = bucketStart(sql`${today}::date::timestamp`, interval, weeksOf(select.env));
  // From the first period of a row to its last (the same, except in the row of all periods).
  const [label, from] = began.outer;
  const columns = [
    ...[label as Sql, from as Sql, last.outer[2] as Sql, ended.outer[1] as Sql, sql`a.k`, sql`a.began`, sql`a.stayed`],
    ...[sql`a.is_mixed`, whole(sql`a.whole`), whole(sql`a.v`), sql`a.is_all`],
    ...[sql`(select count(distinct f.b) from f)`, sql`(select max(p.age) from p)`],
  ];
  return sql`with f as materialized (select s.b, s.l, s.c, count(*) as n, ${own} as v from (${records}) s where s.b <= ${now} group by s.b, s.l, s.c),
    p as (select f.b, sum(f.n) as n, sum(f.v) as v, ${bucketsBetween(sql`f.b`, now, interval)} as age from f group by f.b order by f.b desc limit ${literal(String(maxPeriods))}),
    g as (select f.b, f.l, sum(f.n) as n, sum(f.v) as v from f where f.l is not null group by f.b, f.l),
    w as (select p.b, k, p.n as began, p.v as whole,
        p.n - sum(coalesce(g.n, 0)) over (partition by p.b order by k) as stayed,
        p.v - sum(coalesce(g.v, 0)) over (partition by p.b order by k) as v
      from p cross join lateral generate_series(0, least(p.age, ${literal(String(maxAge))}::int4)) k left join g on g.b = p.b and g.l = k - 1),
    m as (select ${isMixed} as is_mixed from f where f.v <> 0)
    select ${join(columns)}
    from (select min(w.b) as b, max(w.b) as z, w.k, sum(w.began) as began, sum(w.stayed) as stayed, ${measure.combine([sql`w.whole`])} as whole,
        ${measure.combine([sql`w.v`])} as v, m.is_mixed, grouping(w.b) = 1 as is_all
      from w cross join m group by grouping sets ((w.b, w.k, m.is_mixed), (w.k, m.is_mixed))) a order by a.is_all desc, a.b, a.k`;
}

function cohortRow(plan: CohortPlan, row: readonly Cell[]): CohortRow {
  const [
    label,
    from = null,
    to = null,
    later = null,
    age,
    began,
    stayed,
    isMixed,
    whole,
    value,
    isAll,
    periods,
    oldest,
  ] = row;
  // Amounts of several currencies have no sum.
  const figure = (cell: Cell | undefined) => (isMixed === true ? null : (plan.measure.read(cell ?? null) as number));
  const figures = {
    ...{ __age: Number(age), __began: Number(began), __whole: figure(whole) },
    ...{ [plan.measure.name]: figure(value), __count: Number(stayed) },
  };
  const name = String(label);
  const started = conjoin(plan.domain, plan.began.condition([name, from, to]));
  if (isAll === true) {
    const bounds = { __periods: Number(periods), __oldest: Number(oldest) };
    return { ...figures, ...bounds, __domain: serializeDomain(started) };
  }
  const isFirst = Number(age) === 0;
  const lasting = disjoin(isEmpty(plan.stop.split('.')), plan.ended.condition([name, later, null]));
  // All are left until the end of the first period.
  const gone = isFirst ? condition(['id'], '=', 0) : plan.ended.condition([name, null, later]);
  return {
    [`${plan.start}:${plan.interval}`]: name,
    ...figures,
    __domain: serializeDomain(isFirst ? started : conjoin(started, lasting)),
    __left: serializeDomain(conjoin(started, gone)),
  };
}
