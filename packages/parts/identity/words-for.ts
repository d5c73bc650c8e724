import { type PersonWords, sourceLanguage, wordsIn } from '@kontor/kernel';
import type { Env } from '@kontor/orm';

/**
 * The words for something that is said to another person than the one who acts: a mail, a notice. `module` is the addon
 * whose words they are.
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
