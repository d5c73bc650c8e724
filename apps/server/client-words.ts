import { fileURLToPath } from 'node:url';
import { createTranslations, readWordbooks, type Translations } from '@kontor/kernel';

/** The client's wordbooks stay in the source tree, as the addons' do. */
export const clientWordsFolder = fileURLToPath(new URL('../../apps/web/i18n', import.meta.url));

/** What the client says in each language. A file that cannot be read stops the start. */
export async function readClientWords(folder: string): Promise<Translations> {
  const books = await readWordbooks(
    folder,
    (file, line, message) => new Error(`The client's words: ${file}:${line}: ${message}`),
  );
  return createTranslations(new Map([['client', books]]));
}
