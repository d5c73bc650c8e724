import { empty, ident, join, literal, type Sql, sql } from '@kontor/database';
import { type Select, tableOf } from '../select.ts';
import { roundedAmount, type TargetCurrency } from './convert-amounts.ts';
import type { GroupColumn } from './group-column.ts';
import type { MeasureColumn } from './plan-measure.ts';

export interface GroupPlan {
  readonly select: Select;
  readonly where: Sql;
  readonly groups: readonly GroupColumn[];
  readonly measures: readonly MeasureColumn[];
  /** The grouping sets, as indexes into `groups`; the last has all of them. */
  readonly sets: readonly (readonly number[])[];
  /** The index of the group along which figures accumulate; -1 for none. */
  readonly running: number;
  /** The currencies of amounts, each with the indexes of its measures. */
  readonly currencies: readonly { readonly column: GroupColumn; readonly measures: readonly number[] }[];
  /** The currency that amounts are converted into; null: they stay as they are. */
  readonly target: TargetCurrency | null;
}

/** One grouping set of the statement: a set of the plan, split by a currency, or not (0). */
interface GroupingSet {
  readonly index: number;
  readonly places: readonly number[];
  readonly currency: number;
}

/**
 * Values per record, then groups, then columns of the groups: names are looked up once per group, not per record. A row has
 * `n`, `gs` (its index in `sets`), the columns of its groups, its measures, and its amounts by currency.
 */
export function groupStatement(plan: GroupPlan): Sql {
  const { groups, measures, currencies } = plan;
  const outer = [
    sql`a.n`,
    sql`a.gs`,
    ...groups.flatMap((group) => group.outer),
    ...measures.map((_, index) => ident('a', `m${index}`)),
    ...currencies.map((_, index) => ident('a', `money${index}`)),
  ];
  const branches = branchesOf(plan).map((branch) => branchStatement(plan, branch));
  const rows =
    plan.running < 0 ? join(branches, sql` union all `) : runningRows(plan, join(branches, sql` union all `));
  const names = groups.flatMap((group) => group.join ?? []);
  return sql`select ${join(outer)} from (${currencies.length === 0 ? rows : foldCurrencies(plan, rows)}) a${join(names, empty)}`;
}

/**
 * Sets whose groups repeat records (once for each tag) are in another branch than the others, so that totals count every
 * record once. The first branch has all groups: the union takes its column types from it.
 */
function branchesOf({ groups, sets, currencies }: GroupPlan): readonly (readonly GroupingSet[])[] {
  const branches = new Map<string, GroupingSet[]>();
  for (const [index, places] of [...sets.entries()].reverse()) {
    const key = places.filter((place) => groups[place]?.lines).join();
    const branch = branches.get(key) ?? [];
    branches.set(key, branch);
    for (let currency = 0; currency <= currencies.length; currency++) branch.push({ index, places, currency });
  }
  return [...branches.values()];
}

function branchStatement(plan: GroupPlan, sets: readonly GroupingSet[]): Sql {
  const { groups, measures, currencies } = plan;
  const used = [...groups.keys()].filter((place) => sets.some((set) => set.places.includes(place)));
  const keys = [...used.map((place) => `g${place}`), ...currencies.map((_, index) => `c${index + 1}`)];
  const isOne = sets.length === 1;
  const parts = isOne ? null : measureParts(measures);
  const records = recordValues(plan, used);
  const source = parts === null ? records : smallestGroups(records, keys, parts);
  const columns = [
    ...groups.map((_, place) => (used.includes(place) ? ident('s', `g${place}`) : sql`null as ${ident(`g${place}`)}`)),
    ...currencies.map((_, index) => ident('s', `c${index + 1}`)),
    sql`${isOne ? integerLiteral(sets[0]?.index ?? 0) : setNumber(keys, sets, 'index')} as gs`,
    sql`${isOne ? integerLiteral(0) : setNumber(keys, sets, 'currency')} as cs`,
    parts === null ? sql`count(*) as n` : sql`coalesce(sum(s.n), 0)::int8 as n`,
    ...measures.map((measure, index) => {
      const own = parts?.[index]?.map((_, part) => ident('s', `p${index}_${part}`));
      return sql`${own ? measure.combine(own) : measure.aggregate(ident('s', `m${index}`))} as ${ident(`m${index}`)}`;
    }),
  ];
  return sql`select ${join(columns)} from (${source}) s${isOne ? groupBy(keys) : groupingSets(sets)}`;
}

function recordValues({ select, where, groups, measures, currencies }: GroupPlan, used: readonly number[]): Sql {
  const shown = used.map((place) => [place, groups[place] as GroupColumn] as const);
  const values = [
    ...shown.map(([place, group]) => sql`${group.value} as ${ident(`g${place}`)}`),
    ...currencies.map(({ column }, index) => sql`${column.value} as ${ident(`c${index + 1}`)}`),
    ...measures.map((measure, index) => sql`${measure.value} as ${ident(`m${index}`)}`),
  ];
  const joins = [...select.joinClauses, ...shown.flatMap(([, group]) => group.lines ?? [])];
  return sql`select ${join(values)} from ${tableOf(select)}${join(joins, empty)} where ${where}`;
}

type MeasureParts = readonly (readonly Sql[])[];

/** Partial aggregates of all measures; null if one of them needs all records. */
function measureParts(measures: readonly MeasureColumn[]): MeasureParts | null {
  const parts = measures.map((measure, index) => measure.parts(ident('s', `m${index}`)));
  return parts.every((each) => each !== null) ? parts : null;
}

/**
 * Reads the records once, for the smallest groups, which the database does in parallel; totals are computed from these few
 * rows. Computed from the records, every further set would cost as much as the first.
 */
function smallestGroups(records: Sql, keys: readonly string[], parts: MeasureParts): Sql {
  const columns = [
    ...keys.map((key) => ident('s', key)),
    sql`count(*) as n`,
    ...parts.flatMap((each, index) => each.map((part, at) => sql`${part} as ${ident(`p${index}_${at}`)}`)),
  ];
  return sql`select ${join(columns)} from (${records}) s${groupBy(keys)}`;
}

function groupBy(keys: readonly string[]): Sql {
  return keys.length === 0 ? empty : sql` group by ${join(keys.map((key) => ident('s', key)))}`;
}

function keysOf({ places, currency }: GroupingSet): readonly string[] {
  return [...places.map((place) => `g${place}`), ...(currency > 0 ? [`c${currency}`] : [])];
}

function groupingSets(sets: readonly GroupingSet[]): Sql {
  const each = sets.map((set) => sql`(${join(keysOf(set).map((key) => ident('s', key)))})`);
  return sql` group by grouping sets (${join(each)})`;
}

/** The set of a row: `grouping` has a bit for each key that is not in its set; the last key has the lowest bit. */
function setNumber(keys: readonly string[], sets: readonly GroupingSet[], what: 'index' | 'currency'): Sql {
  const cases = sets.map((set) => {
    const own = keysOf(set);
    const mask = keys.reduce((bits, key) => bits * 2 + (own.includes(key) ? 0 : 1), 0);
    return sql`when ${integerLiteral(mask)} then ${integerLiteral(set[what])}`;
  });
  return sql`case grouping(${join(keys.map((key) => ident('s', key)))}) ${join(cases, sql` `)} end`;
}

/** A constant, since GROUP BY compares expressions: two parameters with one value are different expressions. */
function integerLiteral(value: number): Sql {
  return sql`${literal(String(value))}::int4`;
}

/** Adds to each group all groups before it along one of the keys. Rows without that key stay as they are. */
function runningRows({ groups, measures, currencies, running }: GroupPlan, rows: Sql): Sql {
  const keys = [...groups.map((_, place) => `g${place}`), ...currencies.map((_, index) => `c${index + 1}`)];
  const others = keys.filter((_, at) => at !== running).map((key) => ident('u', key));
  const window = sql`(partition by ${join([sql`u.gs`, sql`u.cs`, ...others])} order by ${ident('u', `g${running}`)})`;
  const columns = [
    ...keys.map((key) => ident('u', key)),
    sql`u.gs`,
    sql`u.cs`,
    sql`(sum(u.n) over ${window})::int8 as n`,
    ...measures.map((measure, index) => {
      const own = ident('u', `m${index}`);
      return sql`${measure.running(own, window) ?? own} as ${ident(`m${index}`)}`;
    }),
  ];
  return sql`select ${join(columns)} from (${rows}) u`;
}

/** Folds the rows of each currency into a list in the row of their group; here, once, converted amounts are rounded. */
function foldCurrencies({ groups, measures, currencies, target }: GroupPlan, rows: Sql): Sql {
  const figure = (place: number, currency: Sql): Sql => {
    const own = ident('p', `m${place}`);
    if (!target || !measures[place]?.isAmount) return own;
    return sql`case when ${currency} = ${target.id}::int4 then ${roundedAmount(own, target)} else ${own} end`;
  };
  const columns = [
    sql`p.gs`,
    ...groups.map((_, place) => ident('p', `g${place}`)),
    sql`max(p.n) filter (where p.cs = ${integerLiteral(0)}) as n`,
    ...measures.map(
      (_, index) =>
        sql`(array_agg(${ident('p', `m${index}`)}) filter (where p.cs = ${integerLiteral(0)}))[1] as ${ident(`m${index}`)}`,
    ),
    ...currencies.map(({ column, measures: own }, index) => {
      const name = column.outer[1] as Sql;
      const values = own.map((place) => sql`(${figure(place, ident('p', `c${index + 1}`))})::text`);
      return sql`json_agg(json_build_array(${join([name, ...values])}) order by ${name}) filter (where p.cs = ${integerLiteral(index + 1)})::text as ${ident(`money${index}`)}`;
    }),
  ];
  const names = currencies.flatMap(({ column }) => column.join ?? []);
  const by = [sql`p.gs`, ...groups.map((_, place) => ident('p', `g${place}`))];
  return sql`select ${join(columns)} from (${rows}) p${join(names, empty)} group by ${join(by)}`;
}
