import { UserError } from '@kontor/protocol';
import type { Env } from '../../env.ts';
import type { MoveSpec } from '../../model/definition.ts';
import type { Field, Model, StateMachine } from '../../model/model.ts';
import type { RowChange } from '../compare-rows.ts';
import { addIds, settleState } from '../settle/settle-state.ts';
import { nameOf, oneOf, valueLabel } from './move-words.ts';

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
function firstMove(machine: StateMachine, to: string): MoveSpec | undefined {
  return machine.initial.has(to) ? {} : undefined;
}

function mayMove(env: Env, { groups }: MoveSpec): boolean {
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
  const is = from === null ? '' : ` is ${valueLabel(model, from)} and`;
  const hint = possible.length > 0 ? `From here it can become ${oneOf(model, possible)}.` : 'It stays as it is.';
  return new UserError(`${name}${is} cannot become ${valueLabel(model, to)}. ${hint}`, {
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
  { id, to, move }: { id: number; to: string; move: MoveSpec },
): Promise<UserError> {
  const { refusal, groups } = move;
  const said = `You may not make ${await nameOf(env, model, id)} ${valueLabel(model, to)}.`;
  return new UserError(refusal ?? `${said} Ask someone who is in ${groups?.join(' or ')}.`, {
    model: model.name,
    id,
    field: model.stateMachine?.field,
    to,
    groups,
  });
}
