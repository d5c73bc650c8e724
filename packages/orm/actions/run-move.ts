import type { ActionAnswer, RecordSet } from '../model/behaviour.ts';
import type { Env, Field, Model, Move, MoveAction, States } from '../model/model.ts';
import type { LockedRow } from '../plan/row-change.ts';
import { lockOwners } from '../rows/lock-owners.ts';
import { lockRows } from '../rows/lock-rows.ts';
import { inOperation } from '../settle/in-operation.ts';
import { mayMove, noSuchMove, notByYou } from '../states/follow-moves.ts';
import { writeEach } from '../writing/write.ts';
import { type CastAnswers, checkAnswers } from './answers.ts';

/** A move that was called, on records that the caller may write. */
export interface MoveCall extends CastAnswers {
  readonly env: Env;
  readonly model: Model;
  readonly ids: readonly number[];
  readonly action: MoveAction;
  recordsOf(ids: readonly number[]): RecordSet;
}

/**
 * Moves all of the records or none. The state of each decides which variant runs; records that are in the target state already
 * are skipped. `run` of a move is called after its records moved and its conditions were checked.
 */
export async function runMove(call: MoveCall): Promise<ActionAnswer> {
  const { env, model, answers, said } = call;
  const locked = await lockAll(call);
  const variants = await variantsOf(call, locked);
  for (const move of variants.keys()) await checkAnswers(env, move.asks, answers);
  const field = (model.states as States).field;
  await inOperation(env, async () => {
    for (const [move, ids] of variants) {
      const values = { [field]: move.to };
      const rows = ids.map((id) => ({ id, values }));
      // The values that one variant writes may affect the records of the next.
      await writeEach(env, model, rows, {
        called: { move, answers: said },
        locked: variants.size === 1 ? locked : null,
      });
    }
  });
  const given: ActionAnswer[] = [];
  for (const [move, ids] of variants) {
    if (!move.canUndo) env.work.keepFromUndo();
    given.push(await move.run?.({ env, records: call.recordsOf(ids), answers }));
  }
  return given.findLast((answer) => answer !== undefined);
}

/** Locks the records, so that nobody moves them meanwhile, and reads everything that a write may need. */
async function lockAll({ env, model, ids, action: { moves } }: MoveCall): Promise<ReadonlyMap<number, LockedRow>> {
  const { field } = model.states as States;
  await lockOwners(env, model, { ids, names: [field, ...moves.flatMap((move) => [...move.sets.keys()])] });
  const stored = [...model.fields.values()].filter(
    ({ column, kind, name }) => column !== null && !kind.isFile && name !== 'id',
  );
  return lockRows(env, model, ids, stored, 'write');
}

/** Assigns the records to variants. */
async function variantsOf(
  { env, model, action: { moves } }: MoveCall,
  locked: ReadonlyMap<number, LockedRow>,
): Promise<Map<Move, number[]>> {
  const field = model.fields.get((model.states as States).field) as Field;
  const variants = new Map<Move, number[]>();
  for (const { id, values } of locked.values()) {
    const from = (values.get(field) ?? null) as string | null;
    const move = moves.find((each) => from !== null && each.from.has(from));
    if (move) variants.set(move, [...(variants.get(move) ?? []), id]);
    else if (!moves.some((each) => each.to === from)) {
      throw await noSuchMove(env, model, { id, from, to: moves[0]?.to ?? null });
    }
  }
  for (const [move, [id]] of variants) if (!mayMove(env, move)) throw await notByYou(env, model, id as number, move);
  return variants;
}
