import type { CacheSpec, Kernel } from '@kontor/kernel';
import type { Env } from '@kontor/orm';

export interface SavedSearchRow {
  readonly id: number;
  readonly name: string;
  readonly model: string;
  readonly action: string;
  readonly query: string;
  readonly isMine: boolean;
  readonly isShared: boolean;
  readonly isDefault: boolean;
}

/** What a person set for themselves, and the searches that others share with them. */
export interface UserSettings {
  readonly values: ReadonlyMap<string, unknown>;
  readonly searches: readonly SavedSearchRow[];
}

export const settingsCache: CacheSpec<number, UserSettings> = { droppedBy: ['settings'], load: loadUserSettings };

/** As last read; dropped when they change anywhere. */
export function userSettings(kernel: Kernel, uid: number): Promise<UserSettings> {
  return kernel.cached(settingsCache, uid);
}

async function loadUserSettings(env: Env, uid: number): Promise<UserSettings> {
  const [settings, searches] = await Promise.all([
    env.model('sys.user.setting').searchRead([['user_id', '=', uid]], ['key', 'value']),
    env
      .model('sys.saved.search')
      .searchRead(
        ['|', ['user_id', '=', uid], ['is_shared', '=', true]],
        ['name', 'model', 'action', 'query', 'user_id', 'is_shared', 'is_default'],
      ),
  ]);
  return {
    values: new Map(settings.map((row) => [String(row.key), row.value])),
    searches: searches.map((row) => ({
      id: row.id,
      name: String(row.name),
      model: String(row.model),
      action: typeof row.action === 'string' ? row.action : '',
      query: String(row.query),
      isMine: row.user_id === uid,
      isShared: row.is_shared === true,
      // Nobody decides for others what their screen opens with.
      isDefault: row.is_default === true && row.user_id === uid,
    })),
  };
}
