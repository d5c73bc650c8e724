import { dateIn } from '@kontor/protocol';
import { isDefaultSource } from '../fields/default-sources.ts';
import type { DefaultContext, DefaultSource } from '../fields/spec.ts';
import type { Env, Field } from '../model/model.ts';

/** The creator of a record, and the time. */
export type DefaultSituation = Pick<Env, 'uid' | 'actor' | 'now'>;

/** A default that needs nothing from the database: a constant, a function, or a source such as the current user. */
export function constantDefault(env: DefaultSituation, field: Field): unknown {
  const given = field.spec.default;
  if (typeof given === 'function') return (given as (context: DefaultContext) => unknown)(contextOf(env));
  if (isDefaultSource(given)) return sourceValue(env, field, given);
  // Each record has its own value: a shared list or object could be changed through one of them.
  return typeof given === 'object' && given !== null ? structuredClone(given) : given;
}

/** The current value of a source such as the current user. */
export function sourceValue(env: DefaultSituation, field: Field, { source }: DefaultSource): unknown {
  switch (source) {
    case 'user':
      return env.uid > 0 ? env.uid : null;
    case 'company':
      return env.actor.companyId;
    case 'today':
      return field.kind.isInstant ? env.now.toISOString() : dateIn(env.actor.tz, env.now);
    case 'now':
      return env.now.toISOString();
    case 'sequence':
    case 'company-value':
      throw new Error(`${field.model}.${field.name}: its default is read from the database.`);
  }
}

function contextOf(env: DefaultSituation): DefaultContext {
  return {
    uid: env.uid,
    companyId: env.actor.companyId,
    lang: env.actor.lang,
    tz: env.actor.tz,
    today: dateIn(env.actor.tz, env.now),
    now: env.now.toISOString(),
  };
}
