import { type Change, type Env, typedEnv } from '@kontor/orm';
import type { AddonDefinition, ObserverSpec } from '../addons/define-addon.ts';

export function observersOf(definitions: Iterable<AddonDefinition>): readonly ObserverSpec[] {
  return [...definitions].flatMap((definition) => definition.observers);
}

/** Shows addons what a unit of work changed, before its end. Nothing happens where no change concerns them. */
export async function runObservers(env: Env, observers: readonly ObserverSpec[], since = 0): Promise<void> {
  const changes = env.work.changes.slice(since);
  for (const observer of observers) {
    const own = observer.models === 'chatter' ? changes.filter((change) => hasChatter(env, change)) : changes;
    if (own.length > 0) await observer.run({ env: typedEnv(env), changes: own });
  }
}

function hasChatter(env: Env, { model }: Change): boolean {
  return env.registry.model(model).chatter !== null;
}
