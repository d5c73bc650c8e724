import { type Env, typedEnv } from '@kontor/orm';
import type { Observer } from '../work/work-context.ts';
import type { AddonDefinition } from './define-addon.ts';

/** The signal of models that say what to watch. */
const watchedSignal = 'watched';

export function watchedModels(definitions: Iterable<AddonDefinition>): readonly (readonly [string, string])[] {
  return [...definitions].flatMap(({ watchers }) => watchers.map(({ follows }) => [follows, watchedSignal] as const));
}

/** The watchers of addons, with what their records say now. */
export async function loadWatchers(
  definitions: Iterable<AddonDefinition>,
  serverEnv: () => Env,
): Promise<readonly Observer[]> {
  const watchers = [...definitions].flatMap((definition) => definition.watchers);
  return Promise.all(
    watchers.map(async (watcher): Promise<Observer> => {
      const loaded = await watcher.load(typedEnv(serverEnv()));
      const isWatched = (model: string, operation: string) => watcher.concerns(loaded, { model, operation });
      return {
        concerns: ({ model, operation }) => isWatched(model.name, operation),
        async run(env, since) {
          const changes = env.work.changes.slice(since).filter((change) => isWatched(change.model, change.operation));
          if (changes.length > 0) await watcher.run({ env: typedEnv(env), changes, loaded });
        },
      };
    }),
  );
}
