import type { Queryable } from '@kontor/database';
import type { Model } from '@kontor/orm';
import type { GroupRow, GroupSpec } from '@kontor/protocol';
import { currencyPath, type Reader, referenceSql } from './reference-sql.ts';

interface Line {
  readonly count: number;
  readonly values: readonly (string | null)[];
  /** Of each measure of money, what it comes to in each currency. */
  readonly money: readonly (ReadonlyMap<string, string | null> | null)[];
}

/** What differs between the rows of a screen and the SQL written for them; empty where all figures are right. */
export async function wrongFigures(
  db: Queryable,
  reader: Reader,
  model: Model,
  spec: GroupSpec,
  rows: readonly GroupRow[],
): Promise<readonly string[]> {
  if (spec.limit !== undefined && rows.length >= spec.limit) return [];
  const wrong: string[] = [];
  for (const set of [...(spec.subtotals ?? []), spec.groupby]) {
    const expected = await linesOf(db, reader, model, spec, set);
    const shown = rows.filter((row) => spec.groupby.every((key) => set.includes(key) === Object.hasOwn(row, key)));
    const seen = new Set<string>();
    for (const row of shown) {
      const key = keyOf(set.map((group) => row[group]));
      seen.add(key);
      const line = expected.get(key);
      const told = `${model.name} by ${set.join(', ') || 'nothing'} at ${key}`;
      if (!line) wrong.push(`${told}: shown ${row.__count} records where there are none`);
      else wrong.push(...rowFaults(spec, row, line).map((fault) => `${told}: ${fault}`));
    }
    for (const key of expected.keys()) {
      if (!seen.has(key) && (expected.get(key)?.count ?? 0) > 0) {
        wrong.push(`${model.name} by ${set.join(', ')} at ${key}: missing`);
      }
    }
  }
  return wrong;
}

function rowFaults(spec: GroupSpec, row: GroupRow, line: Line): readonly string[] {
  const faults = row.__count === line.count ? [] : [`count ${row.__count}, not ${line.count}`];
  for (const [at, { name, measure }] of spec.fields.entries()) {
    const money = spec.money ? line.money[at] : null;
    const amounts = [...(money ?? [])].filter(([, value]) => !isNothing(value, measure, spec));
    const isMixed = amounts.length > 1;
    const isSame = typeof spec.money === 'string' && money && measure !== 'ratio' ? isRounded : isEqual;
    const [only] = amounts.length === 1 && typeof spec.money === 'string' ? amounts : [];
    const whole = only ? only[1] : line.values[at];
    if (!isSame(row[name], isMixed ? null : (whole ?? null))) {
      faults.push(`${name} ${row[name]}, not ${isMixed ? 'nothing, as there are several currencies' : whole}`);
    }
    if (!money || amounts.length === 0) continue;
    const told = new Map((row.__money?.[name] ?? []).map(({ currency, value }) => [String(currency), value]));
    const isWrong = told.size !== amounts.length || amounts.some(([code, value]) => !isSame(told.get(code), value));
    if (isWrong) faults.push(`${name} by currency ${JSON.stringify([...told])}, not ${JSON.stringify(amounts)}`);
  }
  return faults;
}

/** A sum of nothing is not shown in its currency; a converted one is rounded first. */
function isNothing(value: string | null, measure: string, { money }: GroupSpec): boolean {
  const least = typeof money === 'string' ? 0.005 : Number.MIN_VALUE;
  return value === null || (measure === 'sum' && Math.abs(Number(value)) < least);
}

/** A converted amount is the exact one, rounded to the cents of its currency. */
function isRounded(shown: unknown, exact: unknown): boolean {
  if (shown == null || exact == null) return isEqual(shown, exact);
  return isEqual(shown, exact) || Math.abs(Number(shown) - Number(exact)) <= 0.005 + 1e-9;
}

function isEqual(shown: unknown, expected: unknown): boolean {
  if (shown === null || shown === undefined || expected === null || expected === undefined) {
    return (shown ?? null) === (expected ?? null);
  }
  return Math.abs(Number(shown) - Number(expected)) < 1e-6;
}

async function linesOf(
  db: Queryable,
  reader: Reader,
  model: Model,
  spec: GroupSpec,
  set: readonly string[],
): Promise<ReadonlyMap<string, Line>> {
  const reference = referenceSql(reader);
  const lines = new Map<string, Line>();
  const width = set.length;
  for (const row of await db.arrays(reference.groups(model, spec, set, null))) {
    const values = row.slice(width + 1).map(textOf);
    lines.set(keyOf(row.slice(0, width)), { count: Number(row[width]), values, money: spec.fields.map(() => null) });
  }
  if (spec.money) {
    for (const [at, { field, measure }] of spec.fields.entries()) {
      const path = measure.startsWith('count') ? null : currencyPath(reader, model, field, measure);
      if (path === null) continue;
      for (const row of await db.arrays(reference.groups(model, spec, set, path))) {
        const line = lines.get(keyOf(row.slice(0, width))) as Line;
        const money = [...line.money];
        money[at] = new Map([...(money[at] ?? []), [String(row[width]), textOf(row[width + 2 + at])]]);
        lines.set(keyOf(row.slice(0, width)), { ...line, money });
      }
    }
  }
  return spec.running && set.includes(spec.running) ? added(lines, set, spec.running) : lines;
}

/** Each place with all before it; what has no date comes last. */
function added(lines: ReadonlyMap<string, Line>, set: readonly string[], running: string): ReadonlyMap<string, Line> {
  const place = set.indexOf(running);
  const parsed = [...lines].map(([key, line]) => ({ key: JSON.parse(key) as (string | null)[], line }));
  const isBefore = (one: string | null, other: string | null) => other === null || (one !== null && one <= other);
  const others = (key: readonly unknown[]) => JSON.stringify(key.filter((_, at) => at !== place));
  const sum = (list: readonly (string | null | undefined)[]) =>
    String(list.reduce((all, one) => all + Number(one ?? 0), 0));
  return new Map(
    parsed.map(({ key, line }) => {
      const upTo = parsed.filter(
        (one) => others(one.key) === others(key) && isBefore(one.key[place] ?? null, key[place] ?? null),
      );
      const money = line.money.map((own, at) => {
        if (own === null) return null;
        const codes = new Set(upTo.flatMap((one) => [...(one.line.money[at]?.keys() ?? [])]));
        return new Map(
          [...codes].map((code) => [code, sum(upTo.map((one) => one.line.money[at]?.get(code)))] as const),
        );
      });
      const values = line.values.map((_, at) => sum(upTo.map((one) => one.line.values[at])));
      return [keyOf(key), { count: Number(sum(upTo.map((one) => String(one.line.count)))), values, money }] as const;
    }),
  );
}

function textOf(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

function keyOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => textOf(value)));
}
