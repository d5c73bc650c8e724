import { type Sql, sql } from '@kontor/database';
import type { Env } from '../../model/model.ts';

export interface Part<T> {
  readonly part: T;
  /** Null: some, nobody counted. */
  readonly rows: number | null;
  /** Bytes, about. */
  readonly size: number;
}

/** A part is about so large, whatever its rows are like, so that memory stays flat. */
const wantedSize = 256_000;
const steps = [
  { rows: 10, fetch: sql`fetch 10 from reading` },
  { rows: 100, fetch: sql`fetch 100 from reading` },
  { rows: 1_000, fetch: sql`fetch 1000 from reading` },
  { rows: 4_000, fetch: sql`fetch 4000 from reading` },
] as const;
const firstStep = 1;

/**
 * Rows of a statement, a part at a time, through a cursor. The next part is fetched while this one is used. Whoever stops early
 * ends the transaction.
 */
export async function* readParts<T>(
  env: Env,
  statement: Sql,
  fetch: (rows: Sql) => Promise<Part<T>>,
): AsyncGenerator<T, void> {
  // All rows are wanted, not the first ones soon; and a caller who hangs up is noticed while the database still works.
  await env.db.execute(sql`select set_config('cursor_tuple_fraction', '1', true),
    set_config('client_connection_check_interval', '500', true)`);
  await env.db.execute(sql`declare reading no scroll cursor for ${statement}`);
  let step = firstStep;
  let coming = ask(fetch, step);
  for (;;) {
    const { part, rows, size } = await coming;
    if (rows === 0) break;
    step = nextStep(step, size);
    coming = ask(fetch, step);
    yield part;
  }
  await env.db.execute(sql`close reading`);
}

function ask<T>(fetch: (rows: Sql) => Promise<Part<T>>, step: number): Promise<Part<T>> {
  const coming = fetch((steps[step] as (typeof steps)[number]).fetch);
  // Nobody may be waiting when it fails; whoever is, hears of it.
  coming.catch(() => {});
  return coming;
}

function nextStep(step: number, size: number): number {
  const larger = steps[step + 1];
  const { rows } = steps[step] as (typeof steps)[number];
  if (size > wantedSize * 4) return Math.max(0, step - 1);
  return larger && (size * larger.rows) / rows <= wantedSize * 2 ? step + 1 : step;
}
