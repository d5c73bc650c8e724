import { type Queryable, sql } from '@kontor/database';
import { type AskedCount, type Model, type OrderTerm, parseOrder, type Registry } from '@kontor/orm';

/** The database's statistics about the values of a table. */
export interface TableFacts {
  readonly rows: number;
  /** The number of different values of a column; unknown if it was never analysed. */
  readonly distinct: ReadonlyMap<string, number>;
}

export interface IndexProposal {
  readonly model: Model;
  /** As in `indexes` of a model. */
  readonly index: string;
  /** The queries that it helps, by total duration, the longest first. */
  readonly asked: readonly AskedCount[];
  readonly rows: number;
  /** Estimated rows that the first of them reads without it, and with it. */
  readonly readsNow: number;
  readonly readsThen: number;
}

/** Below this many rows the database reads a table sooner than an index. */
const smallTable = 5_000;
/** A query that reads no more rows than this is fast enough. */
const fewRows = 2_000;
/** An index must save this much to be worth what every change of a record pays for it. */
const leastGain = 5;
const mostTerms = 3;
const pageRows = 80;
/** The assumed share of rows that a comparison selects, and that a value of unknown frequency has. */
const shareOfRange = 1 / 3;
const shareUnknown = 1 / 10;

/** Indexes that would help actual queries; for each model, the one that saves the most first. */
export function proposeIndexes(
  registry: Registry,
  asked: readonly AskedCount[],
  factsOf: (model: Model) => TableFacts | undefined,
): readonly IndexProposal[] {
  const proposals: IndexProposal[] = [];
  const byCost = [...asked].sort((a, b) => b.ms - a.ms);
  for (const one of byCost) {
    const model = registry.models.get(one.model);
    const facts = model && factsOf(model);
    if (!model || !facts || facts.rows < smallTable || !isKnown(model, one)) continue;
    const proposed = proposals.filter((proposal) => proposal.model === model);
    const now = [...indexesOf(model), ...proposed.map(({ index }) => parseOrder(index))];
    const helped = proposed.find(({ index }) => rowsRead(one, [parseOrder(index)], facts) < fewRows);
    if (helped) (helped.asked as AskedCount[]).push(one);
    const found = helped ? null : bestIndex(one, now, facts);
    if (found) proposals.push({ model, ...found, asked: [one], rows: facts.rows });
  }
  return proposals;
}

/** Fields may have been removed with a module since. */
function isKnown(model: Model, { equal, range, order }: AskedCount): boolean {
  const names = [...equal, ...range, ...parseOrder(order).map(({ path }) => path[0] as string)];
  return names.every((name) => model.fields.get(name)?.isStored);
}

type Index = readonly OrderTerm[];

/** The declared indexes of a model. */
export function indexesOf(model: Model): readonly Index[] {
  const single = [...model.fields.values()].filter(
    ({ name, isStored, spec, kind }) =>
      isStored && (name === 'id' || spec.index || spec.unique || (kind.isToOne && !/^(create|write)_uid$/.test(name))),
  );
  const whole = model.uniques.filter(({ where }) => !where);
  return [
    ...single.map(({ name }) => [{ path: [name], descending: false }]),
    ...whole.map(({ fields }) => fields.map((name) => ({ path: [name], descending: false }))),
    ...model.indexes,
  ];
}

function bestIndex(
  asked: AskedCount,
  now: readonly Index[],
  facts: TableFacts,
): Pick<IndexProposal, 'index' | 'readsNow' | 'readsThen'> | null {
  const readsNow = rowsRead(asked, now, facts);
  if (readsNow <= fewRows) return null;
  const candidates = candidatesFor(asked, facts).map((index) => ({ index, reads: rowsRead(asked, [index], facts) }));
  const least = Math.min(...candidates.map(({ reads }) => reads));
  if (!(least * leastGain <= readsNow)) return null;
  const good = candidates.filter(({ reads }) => reads <= Math.max(least * 1.5, fewRows / 2));
  const [chosen] = good.sort((a, b) => a.index.length - b.index.length || a.reads - b.reads);
  return chosen ? { index: textOf(chosen.index), readsNow, readsThen: chosen.reads } : null;
}

/** The rarest value, or all requested values and then the order, which ends the scan with the page. */
function candidatesFor({ equal, range, order }: AskedCount, facts: TableFacts): readonly Index[] {
  const rare = [...equal].sort((a, b) => shareOf(a, facts) - shareOf(b, facts));
  const ascending = (names: readonly string[]): Index => names.map((path) => ({ path: [path], descending: false }));
  const sorted = parseOrder(order).filter(({ path }) => path[0] !== 'id' && !equal.includes(path[0] as string));
  const lengths = rare.map((_, index) => rare.slice(0, index + 1)).slice(0, mostTerms);
  return [
    ...lengths.map(ascending),
    ...[[], ...lengths].flatMap((names) => [
      ...(sorted.length > 0 ? [[...ascending(names), ...sorted.slice(0, mostTerms)]] : []),
      ...range.map((name) => ascending([...names, name])),
    ]),
  ].filter((index) => index.length <= mostTerms + 1);
}

/** The estimated rows read for a query with the best of some indexes, or without any. */
function rowsRead(asked: AskedCount, indexes: readonly Index[], facts: TableFacts): number {
  return Math.min(facts.rows, ...indexes.map((index) => rowsReadBy(asked, index, facts)));
}

function rowsReadBy({ equal, range, order }: AskedCount, index: Index, facts: TableFacts): number {
  const wanted = new Set(equal);
  let at = 0;
  let found = facts.rows;
  for (; at < index.length; at++) {
    const name = index[at]?.path[0] as string;
    if (!wanted.delete(name)) break;
    found *= shareOf(name, facts);
  }
  const next = index[at]?.path[0];
  const open = range.filter((name) => name !== next);
  const within = next !== undefined && range.includes(next) ? found * shareOfRange : found;
  const share = [...wanted].reduce((part, name) => part * shareOf(name, facts), shareOfRange ** open.length);
  const follows = order !== '' && followsOrder(parseOrder(order), index.slice(at), equal);
  return Math.max(1, follows ? Math.min(within, pageRows / share) : within);
}

/** Rows come in the requested order: from the first term on, all in its direction or all against it. */
function followsOrder(order: Index, rest: Index, equal: readonly string[]): boolean {
  const terms = order.filter(({ path }) => !equal.includes(path[0] as string));
  const [first] = terms;
  const [own] = rest;
  // The database sorts the rest in small groups of rows with the same first term.
  return first !== undefined && own !== undefined && first.path[0] === own.path[0];
}

function shareOf(name: string, { rows, distinct }: TableFacts): number {
  const count = name === 'id' ? rows : distinct.get(name);
  return count === undefined ? shareUnknown : 1 / Math.max(1, count);
}

/** An index on one field can be read in either direction. */
function textOf(index: Index): string {
  const [only, second] = index;
  if (only && !second) return only.path[0] as string;
  return index.map(({ path, descending }) => `${descending ? '-' : ''}${path[0]}`).join(', ');
}

/** Rows and different values of tables, as the database last counted them. */
export async function readTableFacts(db: Queryable, tables: readonly string[]): Promise<Map<string, TableFacts>> {
  const rows = await db.query<{ table: string; rows: number; columns: string }>(sql`
    select c.relname as table, greatest(c.reltuples, 0)::float8 as rows, coalesce((
      select json_object_agg(s.attname, case when s.n_distinct < 0 then -s.n_distinct * c.reltuples else s.n_distinct end)
      from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname), '{}')::text as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname = any(${tables}::text[])`);
  return new Map(
    rows.map(({ table, rows: count, columns }) => [
      table,
      { rows: count, distinct: new Map(Object.entries(JSON.parse(columns) as Record<string, number>)) },
    ]),
  );
}
