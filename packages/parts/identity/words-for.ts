import { type PersonWords, sourceLanguage, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';

/**
 * Translations for another user than the actor: a mail, a notification. `module` is the addon that contains the texts.
 * ```ts
 * export async function tellReader(env: Env, userId: number, title: string) {
 *   const { say } = await wordsFor(env, userId, 'library');
 *   await notify(env, userId, { kind: 'info', title: say('A book for you'), body: say(text('{title} is back.', { title })) });
 * }
 * ```
 */
export async function wordsFor(
  env: Pick<Env, 'registry'> & { sudo(): unknown },
  userId: number,
  module?: string,
): Promise<PersonWords> {
  const users = (env.sudo() as Env).model('core.user');
  const [user] = await users.searchRead([['id', '=', userId]], ['lang']);
  return wordsIn(env, String(user?.lang ?? sourceLanguage), module);
}
