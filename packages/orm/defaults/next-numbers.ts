import { ident, sql } from '@kontor/database';
import { dateIn, text, UserError } from '@kontor/protocol';
import type { Env } from '../model/model.ts';
import { counterName, noteCounters, setCounter } from './sequence-counter.ts';

/** A row of `sys.sequence`, and the counter of its numbers if gaps are allowed. */
interface SequenceRow {
  readonly id: number;
  readonly prefix: string | null;
  readonly suffix: string | null;
  readonly padding: number;
  readonly number_next: number;
  readonly number_increment: number;
  readonly gapless: boolean;
  readonly yearly: boolean;
  /** The year that it counts; null for the row that describes a yearly sequence, and for others. */
  readonly year: number | null;
  /** The start and increment of the counter; null if there is none yet. */
  readonly counter_start: number | null;
  readonly counter_increment: number | null;
  /** Numbers that the counter returned; null if it must be created or set first, or returns none. */
  readonly drawn: readonly number[] | null;
}

/**
 * The next numbers of a sequence: the company's own if it has one, otherwise the shared one. A yearly sequence counts by the year of
 * `date`, without gaps, in each company for itself.
 */
export async function nextNumbers(
  env: Env,
  code: string,
  count: number,
  companyId: number | null = env.actor.companyId,
  date: string = dateIn(env.actor.tz, env.now),
): Promise<string[]> {
  if (count <= 0) return [];
  const row = await findSequence(env, code, count, companyId, date);
  const counted = row.yearly && row.year === null ? await beginYear(env, row, companyId, date) : row;
  const isGapless = counted.gapless || counted.yearly;
  const numbers = isGapless ? await drawGapless(env, counted, count) : await drawCounted(env, counted, count);
  const [prefix, suffix] = [fillDates(row.prefix ?? '', date), fillDates(row.suffix ?? '', date)];
  return numbers.map((number) => `${prefix}${String(number).padStart(row.padding, '0')}${suffix}`);
}

async function findSequence(
  env: Env,
  code: string,
  count: number,
  companyId: number | null,
  date: string,
): Promise<SequenceRow> {
  // A counter that matches its row returns its numbers in the same statement.
  const [row] = await env.db.query<SequenceRow>(sql`
    select s.*, case when ${!env.work.isDryRun}::boolean and not s.gapless and not s.yearly
        and s.counter_start = s.number_next and s.counter_increment = s.number_increment
      then array(select nextval(s.counter) from generate_series(1, ${count}::int4)) end as drawn
    from (
      select s.id, s.prefix, s.suffix, s.padding, s.number_next, s.number_increment, s.gapless, s.yearly, s.year,
        c.seqrelid::regclass as counter, c.seqstart as counter_start, c.seqincrement as counter_increment
      from sys_sequence s
        left join pg_sequence c on c.seqrelid = to_regclass('sys_sequence_' || s.id)
      where s.code = ${code} and (s.company_id is null or s.company_id = ${companyId}::int4)
        and (s.year is null or s.year = ${yearOf(date)}::int4 and s.company_id is not distinct from ${companyId}::int4)
      order by s.company_id nulls last, s.year nulls last, s.id limit 1) s`);
  if (!row)
    throw new UserError(
      text('There is no sequence "{code}" to number this with. Add one under Settings, Sequences.', { code }),
    );
  return row;
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/**
 * The counter of a company's year, made when its first number is drawn. The row of the sequence is locked meanwhile, so that two who
 * draw the first number share one counter.
 */
async function beginYear(env: Env, row: SequenceRow, companyId: number | null, date: string): Promise<SequenceRow> {
  const year = yearOf(date);
  await env.db.execute(sql`select 1 from sys_sequence where id = ${row.id} for no key update`);
  const own = sql`
    select s.id from sys_sequence y join sys_sequence s on s.code = y.code
    where y.id = ${row.id} and s.year = ${year}::int4 and s.company_id is not distinct from ${companyId}::int4`;
  const [known] = await env.db.query<{ id: number }>(own);
  const [made] = known
    ? [known]
    : await env.db.query<{ id: number }>(sql`
        insert into sys_sequence (name, code, prefix, suffix, padding, number_next, number_increment, gapless, yearly,
          company_id, year, create_date, write_date)
        select name || ' ' || ${String(year)}::text, code, prefix, suffix, padding, number_next, number_increment, true, true,
          ${companyId}::int4, ${year}::int4, now(), now()
        from sys_sequence where id = ${row.id} returning id`);
  if (!made) throw new Error(`Sequence ${row.id} is gone.`);
  return { ...row, id: made.id, year, counter_start: null };
}

function fillDates(pattern: string, today: string): string {
  const [year, month, day] = today.split('-') as [string, string, string];
  return pattern.replaceAll('%(year)s', year).replaceAll('%(month)s', month).replaceAll('%(day)s', day);
}

/**
 * Numbers that may have gaps come from a PostgreSQL sequence of the row: drawing one never waits, and a rollback loses
 * it. The row stores where counting starts; changing it restarts the counter.
 */
async function drawCounted(env: Env, row: SequenceRow, count: number): Promise<number[]> {
  if (env.work.isDryRun) return foreseeNumbers(env, row, count);
  if (row.drawn !== null) return row.drawn.map(Number);
  await setCounter(env, row);
  const rows = await env.db.arrays(sql`
    select nextval(${counterName(row.id)}::regclass) from generate_series(1, ${count}::int4)`);
  return rows.map((each) => each[0] as number);
}

/** The numbers that would be drawn. A counter is not rolled back with its transaction, so a dry run must not use it. */
async function foreseeNumbers(env: Env, row: SequenceRow, count: number): Promise<number[]> {
  const key = `numbers foreseen of sequence ${row.id}`;
  const next = (env.work.memo.get(key) as number | undefined) ?? (await nextOfCounter(env, row));
  env.work.memo.set(key, next + row.number_increment * count);
  return Array.from({ length: count }, (_, i) => next + row.number_increment * i);
}

async function nextOfCounter(env: Env, row: SequenceRow): Promise<number> {
  if (row.counter_start !== row.number_next) return row.number_next;
  const [counter] = await env.db.query<{ last_value: number; is_called: boolean }>(sql`
    select last_value, is_called from ${ident(counterName(row.id))}`);
  const last = counter?.last_value ?? row.number_next;
  return counter?.is_called ? last + row.number_increment : last;
}

/** Numbers without gaps: the row stays locked until this transaction ends, and a rollback returns the numbers. */
async function drawGapless(env: Env, row: SequenceRow, count: number): Promise<number[]> {
  if (row.counter_start !== null) await retireCounter(env, row);
  const [drawn] = await env.db.query<{ next: number; step: number }>(sql`
    update sys_sequence set number_next = number_next + number_increment * ${count}::int4
    where id = ${row.id} returning number_next as next, number_increment as step`);
  if (!drawn) throw new Error(`Sequence ${row.id} is gone.`);
  const first = drawn.next - drawn.step * count;
  return Array.from({ length: count }, (_, i) => first + drawn.step * i);
}

/** A sequence that was switched to gapless continues where its counter stopped, or numbers would not be unique. */
async function retireCounter(env: Env, { id }: SequenceRow): Promise<void> {
  const name = counterName(id);
  await env.db.execute(sql`select 1 from sys_sequence where id = ${id} for update`);
  await noteCounters(env, [id]);
  await env.db.execute(sql`drop sequence if exists ${ident(name)}`);
}
