import type { Env } from '@kontor/orm';
import type { Words } from '@kontor/protocol';

/** How a person is spoken to. */
export interface PersonWords {
  readonly lang: string;
  say(words: Words): string;
}

/**
 * The words for something that is said in a language, such as a customer's. `module` is the addon whose words they are.
 * ```ts
 * export function greeting(env: Env, lang: string) {
 *   return wordsIn(env, lang, 'library').say('Welcome');
 * }
 * ```
 */
export function wordsIn({ registry }: Pick<Env, 'registry'>, lang: string, module?: string): PersonWords {
  const translate = registry.wordsIn(lang);
  return { lang, say: (words) => translate(words, module) };
}
