import {
  type Arch,
  type CohortRow,
  conjoin,
  type Domain,
  disjoin,
  type Figure,
  type MeasureArch,
  serializeDomain,
  topConditions,
} from '../../door/index.ts';

export interface CohortCell {
  readonly age: number;
  /** From 0 to 1; null if the total is empty. */
  readonly share: number | null;
  readonly value: Figure;
  readonly whole: Figure;
  /** The number of records, and of all records of the cohort. */
  readonly count: number;
  readonly began: number;
  /** The records of the figure, and the other records of the cohort. */
  readonly domain: Domain;
  readonly others: Domain;
}

export interface CohortLine {
  /** The period; null for all periods. */
  readonly start: string | null;
  readonly began: number;
  readonly whole: Figure;
  /** All records of the cohort. */
  readonly domain: Domain;
  /** By age; future periods are missing. */
  readonly cells: readonly CohortCell[];
}

export interface CohortTable {
  readonly lines: readonly CohortLine[];
  readonly all: CohortLine | null;
  /** The greatest age shown, which is the last column. */
  readonly ages: number;
  /** The number of periods and the greatest age, including those that are not shown. */
  readonly periods: number;
  readonly oldest: number;
}

export interface CohortChoice {
  readonly start: string;
  readonly stop: string;
  readonly interval: string;
  readonly measure: MeasureArch;
  /** Counts those who left instead of those who stayed. */
  readonly isLeft: boolean;
}

/** One line per period, with the total of all periods at the end. */
export function cohortTable(arch: Arch, rows: readonly CohortRow[], choice: CohortChoice): CohortTable {
  const key = `${choice.start}:${choice.interval}`;
  const lines = new Map<string, CohortRow[]>();
  const totals = rows.filter((row) => !Object.hasOwn(row, key));
  for (const row of rows) {
    if (!Object.hasOwn(row, key)) continue;
    const start = String(row[key]);
    lines.set(start, [...(lines.get(start) ?? []), row]);
  }
  const base = topConditions(arch.domain ?? []).length;
  const made = [...lines].map(([start, own]) =>
    lineOf(start, own, (row) => toCell(row, choice, row.__domain, row.__left ?? [])),
  );
  const all = totals.map((row) => {
    const same = rows.filter((one) => one.__age === row.__age && Object.hasOwn(one, key));
    const stayed = unionOf(
      arch.domain ?? [],
      same.map((one) => one.__domain),
      base,
    );
    return toCell(
      row,
      choice,
      stayed,
      unionOf(
        arch.domain ?? [],
        same.map((one) => one.__left ?? []),
        base,
      ),
    );
  });
  const [first] = totals;
  return {
    lines: made,
    all: first ? { start: null, began: first.__began, whole: first.__whole, domain: first.__domain, cells: all } : null,
    ages: Math.max(0, ...rows.map((row) => row.__age)),
    periods: first?.__periods ?? made.length,
    oldest: first?.__oldest ?? 0,
  };
}

function lineOf(start: string, rows: readonly CohortRow[], cell: (row: CohortRow) => CohortCell): CohortLine {
  const first = rows[0] as CohortRow;
  return { start, began: first.__began, whole: first.__whole, domain: first.__domain, cells: rows.map(cell) };
}

function toCell(row: CohortRow, { measure, isLeft }: CohortChoice, stayed: Domain, left: Domain): CohortCell {
  const [value, whole] = [row[askedName(measure)] as Figure, row.__whole];
  const part = whole === null || value === null ? null : Number(whole) === 0 ? null : Number(value) / Number(whole);
  const rest = value === null || whole === null ? null : rounded(Number(whole) - Number(value));
  return {
    age: row.__age,
    share: part === null ? null : isLeft ? 1 - part : part,
    value: isLeft ? rest : value,
    whole,
    count: isLeft ? row.__began - row.__count : row.__count,
    began: row.__began,
    domain: isLeft ? left : stayed,
    others: isLeft ? stayed : left,
  };
}

/** Counts are requested through a field, like any other measure. */
export function askedName({ name }: MeasureArch): string {
  return name === '__count' ? 'id:count' : name;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Combines several domains that share their first conditions. */
function unionOf(base: Domain, domains: readonly Domain[], length: number): Domain {
  const own = domains.map((domain) => conjoin(...topConditions(domain).slice(length)));
  return serializeDomain(conjoin(...topConditions(base), disjoin(...own)));
}
