import { type Env, groupBy, type Model, readExternalIds, storeShippedWords } from '@kontor/orm';
import { sourceLanguage } from '../../translations/language-chain.ts';
import type { Translations } from '../../translations/translations.ts';
import type { DataRecord } from './data-record.ts';

/** The system parameter with the language of record names in data files; set once, by the setup. */
const parameter = 'data.language';

export async function keepDataLanguage(env: Env, lang: string): Promise<void> {
  await env.model('sys.config.parameter').create({ name: parameter, value: lang });
}

/** English until Kontor is set up in another language. */
export async function dataLanguage(env: Env): Promise<string> {
  const [row] = await env.model('sys.config.parameter').searchRead([['name', '=', parameter]], ['value']);
  return typeof row?.value === 'string' ? row.value : sourceLanguage;
}

interface TranslatedRecords {
  readonly module: string;
  readonly records: readonly DataRecord[];
  /** Those that were created or changed by this load: only their texts are stored in another language. */
  readonly touched: readonly DataRecord[];
  readonly lang: string;
  readonly translations: Translations;
}

/**
 * Stores the texts of data files in the language of the installation. Fields that are `translated` also get them in all other
 * languages, for their readers. Texts that users changed stay.
 */
export async function translateRecords(
  env: Env,
  { module, records, touched, lang, translations }: TranslatedRecords,
): Promise<void> {
  const fresh = new Set(touched);
  const known = await readExternalIds(env, module, new Set());
  for (const [name, items] of groupBy(records, (record) => record.model)) {
    const model = env.registry.model(name);
    const texts = items.flatMap((record) =>
      record.fields.flatMap(({ name: field, value }): DataText[] => {
        const id = known.get(record.id)?.resId;
        if (value.kind !== 'text' || id === undefined) return [];
        const words = translations.dataWords(module, value.text);
        if (Object.keys(words).length === 1) return [];
        const word = fresh.has(record) ? translations.dataWord(lang, module, value.text) : undefined;
        return [{ id, name: field, text: value.text, word: word ?? value.text, words }];
      }),
    );
    if (texts.length > 0) await storeTexts(env, model, texts);
  }
}

/** A text of a data file: in English, as it is to be stored, and in all languages. */
interface DataText {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  readonly word: string;
  readonly words: Readonly<Record<string, string>>;
}

async function storeTexts(env: Env, model: Model, texts: readonly DataText[]): Promise<void> {
  const names = [...new Set(texts.map(({ name }) => name))];
  const ids = [...new Set(texts.map(({ id }) => id))];
  const loaded = await env.model(model.name).load(ids, names, { missing: 'skip' });
  const now = new Map(loaded.map((record) => [record.id, record]));
  const storedText = ({ id, name }: DataText) => now.get(id)?.[name] as string | null | undefined;

  const renamed = texts.filter((each) => storedText(each) === each.text && each.word !== each.text);
  const isRenamed = new Set(renamed);
  for (const [name, own] of groupBy(texts, (each) => each.name)) {
    const field = model.fields.get(name);
    if (!field?.spec.translated) continue;
    const shipped = own.flatMap((each) => {
      const text = isRenamed.has(each) ? each.word : storedText(each);
      const said = Object.entries(each.words);
      if (text === null || text === undefined || !said.some(([, word]) => word === text)) return [];
      return [{ id: each.id, text, words: Object.fromEntries(said.filter(([, word]) => word !== text)) }];
    });
    await storeShippedWords(env, model, field, shipped);
  }
  // After the translations: until then the new text is one of the words of the old one, and is taken for it.
  const rows = [...groupBy(renamed, ({ id }) => id)].map(([id, own]) => ({
    id,
    values: Object.fromEntries(own.map(({ name, word }) => [name, word])),
  }));
  if (rows.length > 0) await env.model(model.name).writeEach(rows);
}
