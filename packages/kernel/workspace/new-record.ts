import type { Env, Model } from '@kontor/orm';

type Values = Readonly<Record<string, unknown>>;

/** What a new form opens with: the action's defaults, and what the model makes of them. */
export async function newRecord(env: Env, model: Model, given: Values): Promise<Values> {
  const { value = {} } = await env.model(model.name).onchange(given, []);
  return { ...value, ...given };
}
