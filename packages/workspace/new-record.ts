import type { Env, Model } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';

type Values = Readonly<Record<string, unknown>>;

export interface NewRecord {
  readonly values: Values;
  /** What relations may point at, as the model says of these values. */
  readonly domains: Readonly<Record<string, Domain>>;
}

/** What a new form opens with: the action's defaults, and what the model makes of them. */
export async function newRecord(env: Env, model: Model, given: Values): Promise<NewRecord> {
  const { value = {}, domain = {} } = await env.model(model.name).onchange(given, []);
  return { values: { ...value, ...given }, domains: domain };
}
