import { anyModel, type Command, type Env } from '@kontor/addon';
import { type Reference, referencesTo } from './references.ts';

export interface Move {
  readonly model: string;
  readonly keep: number;
  readonly others: readonly number[];
}

const mostAtOnce = 5000;

/**
 * Makes everything that points at the others point at the one that is kept: many2ones, many2manys, references, and pairs of
 * model and id. By the server's right: what is merged is the same thing, whoever may see its papers.
 */
export async function moveReferences(env: Env, move: Move): Promise<void> {
  const server = env.sudo();
  for (const reference of referencesTo(env, move.model)) await moveOne(server, move, reference);
}

async function moveOne(env: Env, move: Move, reference: Reference): Promise<void> {
  const { field, kind } = reference;
  const { keep, others } = move;
  const records = anyModel(env, reference.model);
  const named = (id: number) => `${move.model},${id}`;
  const values = { many2one: keep, pair: keep, reference: named(keep), many2many: relinked(move) }[kind];
  const wanted = kind === 'reference' ? others.map(named) : others;
  const pair = kind === 'pair' ? [['model', '=', move.model] as const] : [];
  const found = await records.search([...pair, [field, 'in', wanted]]);
  // A contact that was under one of the others must not end up under itself.
  const ids = reference.model === move.model && kind === 'many2one' ? found.filter((id) => !isMerged(move, id)) : found;
  for (let start = 0; start < ids.length; start += mostAtOnce) {
    await records.write(ids.slice(start, start + mostAtOnce), { [field]: values });
  }
}

function isMerged({ keep, others }: Move, id: number): boolean {
  return id === keep || others.includes(id);
}

function relinked({ keep, others }: Move): readonly Command<'core.partner'>[] {
  return [['link', keep], ...others.map((id): Command<'core.partner'> => ['unlink', id])];
}
