import { type Change, type Env, typedEnv } from '@kontor/orm';
import type { Observe } from '../work/work-context.ts';
import type { AddonDefinition } from './define-addon.ts';

/** Shows addons what a unit of work changed. Nothing happens where no change concerns them. */
export function addonObservers(definitions: Iterable<AddonDefinition>): Observe {
  const observers = [...definitions].flatMap((definition) => definition.observers);
  return async (env, since) => {
    const changes = env.work.changes.slice(since);
    for (const observer of observers) {
      const own = observer.models === 'chatter' ? changes.filter((change) => hasChatter(env, change)) : changes;
      if (own.length > 0) await observer.run({ env: typedEnv(env), changes: own });
    }
  };
}

function hasChatter(env: Env, { model }: Change): boolean {
  return env.registry.model(model).chatter !== null;
}
