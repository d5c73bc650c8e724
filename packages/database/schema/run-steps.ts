import { serverError } from '../errors/sql-state.ts';
import type { Queryable, Transaction } from '../queryable.ts';
import { ident, join, sql } from '../sql/sql.ts';
import { inOneRoundTrip } from './ddl.ts';
import type { SchemaLocks } from './schema-lock.ts';
import type { Refusal, Step } from './step.ts';

export interface StepResults {
  readonly done: string[];
  readonly refused: Refusal[];
}

/** SQL states with which the data or dependent objects reject a step. */
const refusals = new Set([
  '23502',
  '23503',
  '23505',
  '23514',
  '23P01',
  '42P16',
  '42830',
  '42804',
  '22001',
  '22003',
  '0A000',
  '2BP01',
]);
const maxBatch = 50;

/** Takes the locks, then runs the steps in order; steps that the data reject are reported and leave no trace. */
export async function runSteps(
  tx: Transaction,
  steps: readonly Step[],
  liveTables: ReadonlySet<string>,
  locks: SchemaLocks,
): Promise<StepResults> {
  const changed = new Set(steps.map((step) => step.table).filter((name) => liveTables.has(name)));
  const beside = new Set(steps.flatMap((step) => step.beside ?? []));
  await locks.takeTables(
    [...changed],
    [...beside].filter((name) => liveTables.has(name) && !changed.has(name)),
  );
  const results: StepResults = { done: [], refused: [] };
  for (const batch of batches(steps)) {
    const [first] = batch;
    const reason = first?.refusal && (await tryStep(tx, first));
    if (first && reason) results.refused.push(refusalOf(first, reason));
    else {
      if (!first?.refusal) await tx.execute(inOneRoundTrip(...batch.map((step) => step.statement)));
      results.done.push(...batch.map(describe));
    }
  }
  return results;
}

/** Steps that cannot be rejected run together; each of the others is a separate batch. */
function batches(steps: readonly Step[]): Step[][] {
  const result: Step[][] = [];
  for (const step of steps) {
    const last = result.at(-1);
    const fits = last && !step.refusal && !last[0]?.refusal && last.length < maxBatch;
    if (fits) last.push(step);
    else result.push([step]);
  }
  return result;
}

async function tryStep(tx: Transaction, step: Step): Promise<string | undefined> {
  try {
    await tx.savepoint(() => tx.execute(step.statement));
    return undefined;
  } catch (error) {
    if (!refusals.has(serverError(error)?.code ?? '')) throw error;
    return step.refusal;
  }
}

export function refusalOf(step: Step, reason = step.refusal ?? ''): Refusal {
  return { table: step.table, ...(step.column !== undefined && { column: step.column }), reason };
}

function describe(step: Step): string {
  return `${step.table}${step.column === undefined ? '' : `.${step.column}`}: ${step.note}`;
}

/** Of the steps that need every row to have a value, those whose column has empty ones; one statement for all. */
export async function findImpossible(db: Queryable, steps: readonly Step[]): Promise<ReadonlySet<Step>> {
  const candidates = steps.filter((step) => step.needsValues);
  if (candidates.length === 0) return new Set();
  const probes = candidates.map(
    (step, index) =>
      sql`select ${index}::int as position where exists (
        select from ${ident(step.table)} where ${ident(step.column as string)} is null)`,
  );
  const rows = await db.query<{ position: number }>(join(probes, sql` union all `));
  return new Set(rows.map((row) => candidates[row.position] as Step));
}
