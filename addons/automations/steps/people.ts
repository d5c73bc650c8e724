import { anyModel, type Env, text } from '@kontor/addon';
import { nextTurn } from '../running/trouble.ts';
import { StepError, type Who } from './step.ts';

interface Envs {
  /** Reads who it may be, with the rights of the author. */
  readonly env: Env;
  /** Knows who is active, and counts the turns. */
  readonly server: Env;
}

interface Turn {
  readonly ruleId: number;
  readonly model: string;
  readonly id: number;
  /** The number of the step. */
  readonly step: number;
}

/** The person for a record. Those who take turns are counted in the transaction, so two runs at once do not choose the same one. */
export async function personFor({ env, server }: Envs, who: Who, turn: Turn): Promise<number> {
  const ids = await candidates(env, who, turn);
  const rows = await server.model('core.user').search([
    ['id', 'in', ids],
    ['active', '=', true],
  ]);
  const able = ids.filter((id) => rows.includes(id));
  if (able.length === 0) throw new StepError(text('There is nobody to assign it to.'));
  if ('user' in who || 'path' in who) return able[0] as number;
  return takeTurn(server, able, turn);
}

async function candidates(env: Env, who: Who, { model, id }: Turn): Promise<readonly number[]> {
  if ('user' in who) return [who.user];
  if ('turn' in who) return who.turn;
  const steps = ('path' in who ? who.path : who.team).split('.');
  let ids: readonly number[] = [id];
  let at = model;
  for (const step of steps) {
    const rows = await anyModel(env, at).read(ids, [step]);
    ids = [...new Set(rows.flatMap((row) => row[step] ?? []) as number[])];
    at = env.registry.model(at).fields.get(step)?.spec.relation ?? '';
  }
  return ids;
}

/** The one whose last turn is longest ago. */
async function takeTurn(env: Env, ids: readonly number[], { ruleId, step }: Turn): Promise<number> {
  const turns = env.model('automation.turn');
  const number = await nextTurn(env, ruleId);
  const rows = await turns.searchRead(
    [
      ['rule_id', '=', ruleId],
      ['step', '=', step],
      ['user_id', 'in', ids],
    ],
    ['user_id', 'last'],
  );
  const last = new Map(rows.map((row) => [row.user_id, row]));
  const [next] = ids.toSorted((a, b) => (last.get(a)?.last ?? 0) - (last.get(b)?.last ?? 0)) as [number];
  const known = last.get(next);
  if (known) await turns.write([known.id], { last: number });
  else await turns.create({ rule_id: ruleId, step, user_id: next, last: number });
  return next;
}
