import { type Env, envTokens, type Model, mayReadField } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';
import { activeValue } from '../query/action-domain.ts';

type Values = Readonly<Record<string, unknown>>;

export interface NewRecord {
  readonly values: Values;
  /** The domains of relations that the model sets for these values. */
  readonly domains: Readonly<Record<string, Domain>>;
}

/** The initial values of a new form: the action's defaults, and what the model derives from them. */
export async function newRecord(env: Env, model: Model, given: Values): Promise<NewRecord> {
  const { value = {}, domain = {} } = await env.model(model.name).onchange(given, []);
  return { values: { ...value, ...given }, domains: domain };
}

const prefix = 'default_';

/**
 * `default_<field>` of an action's context sets `<field>`. Unknown fields and fields that the user may not see are left out: an
 * action must not fail because another module was removed.
 */
export function contextDefaults(
  env: Env,
  model: Model,
  context: Readonly<Record<string, unknown>>,
  activeIds: readonly number[],
): Readonly<Record<string, unknown>> {
  const defaults: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(context)) {
    const field = key.startsWith(prefix) ? model.fields.get(key.slice(prefix.length)) : undefined;
    if (!field || !mayReadField(env, field)) continue;
    const filled = tokenValue(env, activeValue(value, activeIds));
    defaults[field.name] = isIds(filled) && field.kind.isList ? [['set', filled]] : filled;
  }
  return defaults;
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number');
}

function tokenValue(env: Env, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value;
  const { uid, companyId, today, now } = envTokens(env);
  const tokens: Readonly<Record<string, unknown>> = {
    $uid: uid,
    $company_id: companyId,
    $today: today,
    $now: now,
  };
  return Object.hasOwn(tokens, value) ? tokens[value] : value;
}
