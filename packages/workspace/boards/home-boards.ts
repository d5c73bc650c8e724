import { type Env, mayAccessModel } from '@kontor/orm';
import type { Domain, HomeBoards } from '@kontor/protocol';
import type { UserSettings } from '../settings/load-user-settings.ts';

/** The setting with the board on home. */
const boardSetting = 'home.board';

/** Administrators may read every board; private boards of others are not offered. */
const readers: Domain = [
  '|',
  '|',
  ['user_id', '=', '$uid'],
  ['is_shared', '=', true],
  ['group_ids.key', 'in', '$groups'],
];

/** The boards that a user may read, and the one for home: their choice, or else the first that came with an app. */
export async function homeBoards(env: Env, settings: UserSettings): Promise<HomeBoards> {
  if (!mayAccessModel(env, env.registry.model('sys.board'), 'read')) return { boards: [], shown: null };
  const rows = await env.model('sys.board').searchRead(readers, ['name', 'user_id'], { limit: 80 });
  const chosen = rows.find(({ id }) => id === settings.values.get(boardSetting));
  const shipped = rows.find(({ user_id }) => user_id === null);
  const boards = rows.map(({ id, name }) => ({ id, name: String(name) }));
  return { boards, shown: (chosen ?? shipped ?? rows[0])?.id ?? null };
}
