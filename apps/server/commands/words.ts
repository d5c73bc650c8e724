import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  type AddonTexts,
  addonTexts,
  baseModule,
  dataTexts,
  discoverAddons,
  isLanguageCode,
  mergePo,
  PoError,
  type WantedMessage,
} from '@kontor/kernel';
import { authorAddons } from './author-addons.ts';
import { type Command, UsageError } from './command.ts';

export const words: Command = {
  name: 'words',
  takes: 'LANG [DIR]',
  help: 'Writes or updates the translations of the addon in DIR, or here, in i18n/LANG.po.',
  details: `LANG is a language and usually a country, such as de_DE, or a language alone, such as ar. No database is needed.
New texts of the addon are added without a translation, each before the next in alphabetical order; existing entries keep
their place, translation and comments. Texts that the addon no longer has are kept at the end of the file as obsolete (#~)
if they were translated, and are used again when the text comes back. Names and descriptions of records in data/ and
security/ get the context "data", synonyms of fields "import"; these are optional.`,
  words: [1, 2],
  options: [{ name: 'check', help: 'Write nothing; the exit code is 1 if the file would change.' }],
  async run({ config, words: [lang = '', given = '.'], has }) {
    if (!isLanguageCode(lang)) {
      throw new UsageError(`"${lang}" is not the code of a language. Use one such as de_DE, pt_BR or ar.`);
    }
    const folder = resolve(given);
    const [addon] = (await discoverAddons([{ folder, isShipped: false }])).values();
    if (!addon || addon.folder !== folder) throw new UsageError(`There is no addon in ${folder}.`);
    if (addon.name === baseModule)
      throw new Error('The words of base are also those of the kernel, which has no folder.');
    const { definitions, records, registry } = await authorAddons(config, folder, [addon.name]);
    const definition = definitions.get(addon.name);
    if (!definition) throw new Error(`The code of ${addon.name} was not loaded.`);
    const texts = addonTexts(folder, definition);
    if (texts.templates.length > 0) {
      const shown = texts.templates.map((template) => `  ${template}`).join('\n');
      throw new Error(
        `These messages cannot be translated: pass their values to text() instead of a template.\n${shown}`,
      );
    }
    const data = dataTexts(registry, records.get(addon.name) ?? []);
    const file = join(folder, 'i18n', `${lang}.po`);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
    const path = relative(process.cwd(), file);
    const isKept = ({ context, id }: WantedMessage) => context === 'data' && data.all.has(id);
    const merged = atLine(path, () => mergePo(before, lang, wantedMessages(texts, data.names), isKept));
    const { text, added, removed, untranslated } = merged;
    if (has('check')) {
      if (text !== before) process.exitCode = 1;
    } else if (text !== before) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    console.log(`${path}: ${added.length} added, ${removed.length} obsolete, ${untranslated} without a translation`);
  },
};

function wantedMessages(
  { texts, clientTexts, clientPlurals, synonyms }: AddonTexts,
  dataNames: ReadonlySet<string>,
): readonly WantedMessage[] {
  const plain = (context: string | null) => (id: string) => ({ context, id, plural: null });
  return [
    ...[...texts].map(plain(null)),
    ...[...clientTexts].map(plain('client')),
    ...[...clientPlurals].map(([id, plural]) => ({ context: 'client', id, plural })),
    ...[...dataNames].map(plain('data')),
    ...[...synonyms].map(plain('import')),
  ];
}

function atLine<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PoError ? new Error(`${path}:${error.line}: ${error.message}`) : error;
  }
}
