import { ident, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { wordsColumn } from '../model/translated.ts';

/** A text from a data file: as it is stored, and in other languages. */
export interface ShippedWords {
  readonly id: number;
  readonly text: string;
  readonly words: Readonly<Record<string, string>>;
}

/** Replaces the translations of a field; they apply as long as the record has the text. It is not a change of the record. */
export async function storeShippedWords(
  env: Env,
  model: Model,
  field: Field,
  rows: readonly ShippedWords[],
): Promise<void> {
  const name = wordsColumn(field);
  if (name === null || rows.length === 0) return;
  const column = ident(name);
  const values = rows.map(({ text, words }) => JSON.stringify({ [text]: words }));
  await env.db.arrays(sql`update ${ident(model.table)} r set ${column} = given.words::jsonb
    from unnest(${rows.map(({ id }) => id)}::int4[], ${values}::text[]) as given(id, words)
    where r.id = given.id and r.${column} is distinct from given.words::jsonb`);
}

/** The texts of records that have translations. */
export async function readShippedWords(
  env: Env,
  model: Model,
  field: Field,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<ShippedWords, 'text' | 'words'>>> {
  const column = ident(field.column as string);
  const words = sql`${ident(wordsColumn(field) as string)} -> ${column}`;
  const rows = await env.db.arrays(
    sql`select id, ${column}, ${words} from ${ident(model.table)} where id = any(${ids}::int4[]) and ${words} is not null`,
  );
  return new Map(
    rows.map(([id, text, all]) => [id as number, { text: text as string, words: JSON.parse(all as string) }]),
  );
}
