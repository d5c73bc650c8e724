import type { Env, WriteValues } from '@kontor/addon';

type Order = WriteValues<'sale.order'>;

/** A stage brings its state along, and a state its first stage; what a state stamps is stamped on every way to it. */
export async function followStage(env: Env, values: Order): Promise<Order> {
  const stages = env.sudo().model('sale.stage');
  let next = values;
  if (typeof values.stage_id === 'number' && values.state === undefined) {
    const [stage] = await stages.read([values.stage_id], ['state']);
    if (stage) next = { ...next, state: stage.state };
  } else if (values.state !== undefined && values.stage_id === undefined) {
    next = { ...next, stage_id: await firstStage(env, values.state) };
  }
  if (next.state === 'sale') return { date_confirmed: env.now.toISOString(), ...next };
  if (next.state === 'draft') return { ...next, date_confirmed: null };
  return next;
}

export async function firstStage(env: Env, state: NonNullable<Order['state']>): Promise<number | null> {
  const [id] = await env
    .sudo()
    .model('sale.stage')
    .search([['state', '=', state]], { order: 'sequence, id', limit: 1 });
  return id ?? null;
}
