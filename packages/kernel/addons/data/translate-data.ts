import { type Env, readExternalIds } from '@kontor/orm';
import { sourceLanguage } from '../../translations/language-chain.ts';
import type { Translations } from '../../translations/translations.ts';
import type { DataRecord } from './data-record.ts';
import { groupBy } from './group-by.ts';

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
  readonly lang: string;
  readonly translations: Translations;
}

/** Translates the names of records from data files into the language of the installation. Names that users changed stay. */
export async function translateRecords(
  env: Env,
  { module, records, lang, translations }: TranslatedRecords,
): Promise<void> {
  const said = records.flatMap(({ id, model, fields }) => {
    const texts = fields.flatMap(({ name, value }) => {
      const word = value.kind === 'text' ? translations.dataWord(lang, module, value.text) : undefined;
      return value.kind !== 'text' || word === undefined || word === value.text
        ? []
        : [{ name, from: value.text, word }];
    });
    return texts.length === 0 ? [] : [{ id, model, texts }];
  });
  if (said.length === 0) return;
  const known = await readExternalIds(env, module, new Set());
  for (const [model, items] of groupBy(said, (item) => item.model)) {
    const names = [...new Set(items.flatMap(({ texts }) => texts.map(({ name }) => name)))];
    const ids = items.flatMap(({ id }) => known.get(id)?.resId ?? []);
    const now = new Map((await env.model(model).searchRead([['id', 'in', ids]], names)).map((row) => [row.id, row]));
    const rows = items.flatMap(({ id, texts }) => {
      const record = now.get(known.get(id)?.resId ?? 0);
      const open = texts.filter(({ name, from }) => record?.[name] === from);
      const values = Object.fromEntries(open.map(({ name, word }) => [name, word]));
      return record && open.length > 0 ? [{ id: record.id, values }] : [];
    });
    if (rows.length > 0) await env.model(model).writeEach(rows);
  }
}
