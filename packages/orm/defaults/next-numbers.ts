import { sql } from '@kontor/database';
import { dateIn, text, UserError } from '@kontor/protocol';
import type { Env } from '../env.ts';
import { drawCounted } from './draw-counted.ts';
import { drawGapless } from './draw-gapless.ts';

/** A row of `sys.sequence`, and the counter that hands out its numbers when gaps are allowed. */
export interface SequenceRow {
  readonly id: number;
  readonly prefix: string | null;
  readonly suffix: string | null;
  readonly padding: number;
  readonly number_next: number;
  readonly number_increment: number;
  readonly gapless: boolean;
  /** Where the counter started and how it counts; null when there is none yet. */
  readonly counter_start: number | null;
  readonly counter_increment: number | null;
}

/** The next numbers of a sequence: of the company's own where it has one, else of the shared one. */
export async function nextNumbers(
  env: Env,
  code: string,
  count: number,
  companyId: number | null = env.actor.companyId,
): Promise<string[]> {
  if (count <= 0) return [];
  const [row] = await env.db.query<SequenceRow>(sql`
    select s.id, s.prefix, s.suffix, s.padding, s.number_next, s.number_increment, s.gapless,
      c.seqstart as counter_start, c.seqincrement as counter_increment
    from sys_sequence s
      left join pg_sequence c on c.seqrelid = to_regclass('sys_sequence_' || s.id)
    where s.code = ${code} and (s.company_id is null or s.company_id = ${companyId}::int4)
    order by s.company_id nulls last, s.id limit 1`);
  if (!row)
    throw new UserError(
      text('There is no sequence "{code}" to number this with. Add one under Settings, Sequences.', { code }),
    );
  const numbers = row.gapless ? await drawGapless(env, row, count) : await drawCounted(env, row, count);
  const today = dateIn(env.actor.tz, env.now);
  const [prefix, suffix] = [fillDates(row.prefix ?? '', today), fillDates(row.suffix ?? '', today)];
  return numbers.map((number) => `${prefix}${String(number).padStart(row.padding, '0')}${suffix}`);
}

function fillDates(pattern: string, today: string): string {
  const [year, month, day] = today.split('-') as [string, string, string];
  return pattern.replaceAll('%(year)s', year).replaceAll('%(month)s', month).replaceAll('%(day)s', day);
}
