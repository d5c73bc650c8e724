import { empty, ident, join, literal, type Sql, sql } from '@kontor/database';
import { type Select, tableOf } from '../select.ts';
import type { GroupColumn } from './group-column.ts';
import type { MeasureColumn } from './plan-measure.ts';

export interface GroupPlan {
  readonly select: Select;
  readonly where: Sql;
  readonly groups: readonly GroupColumn[];
  readonly measures: readonly MeasureColumn[];
  /** Which of the groups each kind of row is by; the last is by all of them. */
  readonly sets: readonly (readonly number[])[];
  /** Currencies that amounts are told apart by, and the places of the measures that each belongs to. */
  readonly currencies: readonly { readonly column: GroupColumn; readonly measures: readonly number[] }[];
}

/** One grouping set of the statement: a set of the plan, told apart by a currency or not (0). */
interface GroupingSet {
  readonly index: number;
  readonly places: readonly number[];
  readonly currency: number;
}

/**
 * Values per record, then groups, then what is asked of each group: names are looked up once per group, not per record.
 * A row has `n`, `gs` (its place in `sets`), what its groups tell, its measures, and its money by currency.
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
  const rows = join(branches, sql` union all `);
  const names = groups.flatMap((group) => group.join ?? []);
  return sql`select ${join(outer)} from (${currencies.length === 0 ? rows : foldCurrencies(plan, rows)}) a${join(names, empty)}`;
}

/**
 * Sets whose groups multiply records (a record comes once for each of its tags) are grouped apart from those that do not, so
 * that totals count every record once. The first branch is that of all groups: it gives the columns their types.
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
  const parts = isOne ? null : partsOfAll(measures);
  const records = recordValues(plan, used);
  const source = parts === null ? records : smallestGroups(records, keys, parts);
  const columns = [
    ...groups.map((_, place) => (used.includes(place) ? ident('s', `g${place}`) : sql`null as ${ident(`g${place}`)}`)),
    ...currencies.map((_, index) => ident('s', `c${index + 1}`)),
    sql`${isOne ? whole(sets[0]?.index ?? 0) : setNumber(keys, sets, 'index')} as gs`,
    sql`${isOne ? whole(0) : setNumber(keys, sets, 'currency')} as cs`,
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

/** Null where some measure can only be told from the records themselves. */
function partsOfAll(measures: readonly MeasureColumn[]): MeasureParts | null {
  const parts = measures.map((measure, index) => measure.parts(ident('s', `m${index}`)));
  return parts.every((each) => each !== null) ? parts : null;
}

/**
 * The records are gone through once and for the smallest groups, which the database does in parallel; totals are then made of
 * those few. Straight from the records each further set would cost as much as the first.
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

/** Which set a row is of: `grouping` has a bit for each key that the row is not by, the last key's the lowest. */
function setNumber(keys: readonly string[], sets: readonly GroupingSet[], what: 'index' | 'currency'): Sql {
  const cases = sets.map((set) => {
    const own = keysOf(set);
    const mask = keys.reduce((bits, key) => bits * 2 + (own.includes(key) ? 0 : 1), 0);
    return sql`when ${whole(mask)} then ${whole(set[what])}`;
  });
  return sql`case grouping(${join(keys.map((key) => ident('s', key)))}) ${join(cases, sql` `)} end`;
}

/** A constant: a parameter would be another one at each place and no longer the same expression. */
function whole(value: number): Sql {
  return sql`${literal(String(value))}::int4`;
}

/** Rows by currency become a list in the row that they are parts of. */
function foldCurrencies({ groups, measures, currencies }: GroupPlan, rows: Sql): Sql {
  const columns = [
    sql`p.gs`,
    ...groups.map((_, place) => ident('p', `g${place}`)),
    sql`max(p.n) filter (where p.cs = ${whole(0)}) as n`,
    ...measures.map(
      (_, index) =>
        sql`(array_agg(${ident('p', `m${index}`)}) filter (where p.cs = ${whole(0)}))[1] as ${ident(`m${index}`)}`,
    ),
    ...currencies.map(({ column, measures: own }, index) => {
      const name = column.outer[1] as Sql;
      const values = own.map((place) => sql`${ident('p', `m${place}`)}::text`);
      return sql`json_agg(json_build_array(${join([name, ...values])}) order by ${name}) filter (where p.cs = ${whole(index + 1)})::text as ${ident(`money${index}`)}`;
    }),
  ];
  const names = currencies.flatMap(({ column }) => column.join ?? []);
  const by = [sql`p.gs`, ...groups.map((_, place) => ident('p', `g${place}`))];
  return sql`select ${join(columns)} from (${rows}) p${join(names, empty)} group by ${join(by)}`;
}
