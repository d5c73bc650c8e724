import { text, UserError } from '@kontor/protocol';
import type { Env } from '../../env.ts';
import type { TransitionSpec } from '../../model/definition.ts';
import type { Field, Model, StateMachine } from '../../model/model.ts';
import type { RowChange } from '../compare-rows.ts';
import { addIds, settleState } from '../settle/settle-state.ts';
import { listOf, nameOf, oneOf, valueLabel } from './move-words.ts';

/**
 * A value under a state machine goes only where it may, whoever writes it and on whatever way; sudo lifts only the
 * question of who. What a move requires is checked when the operation ends, so that lines written along count.
 */
export async function checkMoves(env: Env, model: Model, changes: readonly RowChange[]): Promise<void> {
  const machine = model.stateMachine;
  if (machine === null) return;
  const field = model.fields.get(machine.field) as Field;
  for (const { id, changed } of changes) {
    const change = changed.get(field);
    if (change === undefined) continue;
    const from = change.old as string | null;
    const to = change.new as string;
    const move = from === null ? firstMove(machine, to) : machine.moves.get(from)?.get(to);
    if (move === undefined) throw await noSuchMove(env, model, { id, from, to });
    if (!mayMove(env, move)) throw await notByYou(env, model, { id, to, move });
    const { conditions } = settleState(env);
    for (const name of move.requires ?? []) addIds(conditions, model.name, name, [id]);
  }
}

/** Rows from before the field existed may be put where new ones begin. */
function firstMove(machine: StateMachine, to: string): TransitionSpec | undefined {
  return machine.initial.has(to) ? {} : undefined;
}

function mayMove(env: Env, { groups }: TransitionSpec): boolean {
  return env.isSudo || groups === undefined || groups.some((group) => env.actor.groups.has(group));
}

async function noSuchMove(
  env: Env,
  model: Model,
  { id, from, to }: { id: number; from: string | null; to: string },
): Promise<UserError> {
  const targets = from === null ? model.stateMachine?.initial : model.stateMachine?.moves.get(from)?.keys();
  const possible = [...(targets ?? [])];
  const name = await nameOf(env, model, id);
  const hint =
    possible.length > 0
      ? text('From here it can become {possible}.', { possible: oneOf(model, possible) })
      : text('It stays as it is.');
  const values = { name, to: valueLabel(model, to), hint };
  const said =
    from === null
      ? text('{name} cannot become {to}. {hint}', values)
      : text('{name} is {from} and cannot become {to}. {hint}', { ...values, from: valueLabel(model, from) });
  return new UserError(said, {
    model: model.name,
    id,
    field: model.stateMachine?.field,
    from,
    to,
    possible,
  });
}

async function notByYou(
  env: Env,
  model: Model,
  { id, to, move }: { id: number; to: string; move: TransitionSpec },
): Promise<UserError> {
  const { refusal, groups } = move;
  const said = text('You may not make {name} {to}. Ask someone who is in {groups}.', {
    name: await nameOf(env, model, id),
    to: valueLabel(model, to),
    groups: listOf(groups ?? []),
  });
  return new UserError(refusal ?? said, {
    model: model.name,
    id,
    field: model.stateMachine?.field,
    to,
    groups,
  });
}
