import { ident, sql } from '@kontor/database';
import { text, ValidationError } from '@kontor/protocol';
import type { Env } from '../env.ts';
import type { Field, Model } from '../model/model.ts';

/** The many2one by which records of a model form a tree, if it has one. */
export function parentField(model: Model): Field | null {
  const field = model.fields.get('parent_id');
  return field?.spec.type === 'many2one' && field.spec.relation === model.name && field.column !== null ? field : null;
}

/**
 * A record must not become its own ancestor. Moves within one tree wait for each other, or two of them could close a
 * circle that neither sees.
 */
export async function checkHierarchy(
  env: Env,
  model: Model,
  field: Field,
  moves: readonly { readonly id: number; readonly parent: number | null }[],
): Promise<void> {
  if (moves.every((move) => move.parent === null)) return;
  const parent = ident(field.column as string);
  await env.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`kontor.tree.${model.table}`}))`);
  const circles = await env.db.arrays(sql`
    with recursive moved(id, parent) as (
      select * from unnest(${moves.map((move) => move.id)}::int4[], ${moves.map((move) => move.parent)}::int4[])
    ), above(origin, id) as (
      select id, parent from moved where parent is not null
      union
      select above.origin, case when moved.id is null then r.${parent} else moved.parent end
      from above join ${ident(model.table)} r on r.id = above.id left join moved on moved.id = r.id
      where case when moved.id is null then r.${parent} else moved.parent end is not null
    )
    select distinct origin from above where id = origin order by origin`);
  const [first] = circles;
  if (first === undefined) return;
  const message = text('{model} {id} cannot be placed under itself.', { model: model.label, id: Number(first[0]) });
  throw new ValidationError({ [field.name]: [message] }, message);
}
