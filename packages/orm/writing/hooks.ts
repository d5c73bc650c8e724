import type { HookSpec } from '../model/model.ts';
import { isWatching } from '../model/watching-hooks.ts';
import { type Concern, namesOf } from '../plan/concern.ts';

/** Code of addons that runs around a write. */
export const hooks: Concern = {
  name: 'hooks',
  plan({ model, operation, given }) {
    const names = namesOf(given);
    const isDue = (hook: HookSpec) =>
      operation === 'create'
        ? hook.beforeCreate || hook.afterCreate
        : (hook.beforeWrite || hook.afterWrite) && isWatching(hook, names);
    return model.hooks.some(isDue) ? { runs: ['before', 'after'] } : null;
  },
};
