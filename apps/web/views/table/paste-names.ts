import { type ArchField, fieldType, type RecordValues, searchRead } from '../../door/index.ts';
import type { Column } from './columns.ts';

/** A record that a pasted text means. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** By the name of a column, then by the text of a cell as `keyOf` writes it; null: several records are meant. */
export type Names = ReadonlyMap<string, ReadonlyMap<string, Named | null>>;

/** Texts without case, spaces and punctuation: `[FURN-1] Desk` and `furn-1 desk` are the same. */
export function keyOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The records that cells name: by the name on screen, by their own name, by a code, or by both. One question for each column. */
export async function lookUpNames(
  rows: readonly (readonly string[])[],
  columns: readonly (Column | null)[],
): Promise<Names> {
  const names = new Map<string, ReadonlyMap<string, Named | null>>();
  await Promise.all(
    columns.map(async (column, index) => {
      if (!column?.field.relation || !fieldType(column.field.type).isRelation) return;
      const texts = rows.flatMap((row) => textsIn(column.field, row[index] ?? ''));
      if (texts.length > 0) names.set(column.name, await findRecords(column.field, new Set(texts)));
    }),
  );
  return names;
}

/** The names in a cell: of a list several, between commas. */
export function textsIn(field: ArchField, cell: string): readonly string[] {
  const all = fieldType(field.type).isLinks ? cell.split(',') : [cell];
  return all.map((text) => text.trim()).filter((text) => text !== '');
}

async function findRecords(
  { relation, related, domain = [] }: ArchField,
  texts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Named | null>> {
  const keys = related?.keys ?? [];
  const paths = ['display_name', ...keys];
  const wanted = [...new Set([...texts].flatMap((text) => (keys.length > 0 ? partsOf(text) : [text])))];
  const found = await searchRead(
    relation as string,
    [...domain, ...keys.map(() => '|' as const), ...paths.map((path) => [path, 'in', wanted] as const)],
    paths,
    { limit: 500 },
  ).catch(() => []);
  const byText = new Map<string, Named | null>();
  for (const record of found) {
    const named = { id: record.id, name: String(record.display_name ?? '') };
    for (const key of textsOf(record, keys)) {
      const before = byText.get(key);
      byText.set(key, before === undefined || before?.id === named.id ? named : null);
    }
  }
  return byText;
}

/** What a text may consist of: all of it, or a code before or after a name. */
function partsOf(text: string): readonly string[] {
  const [, bracketed, after] = /^\[([^\]]+)\]\s*(.*)$/.exec(text) ?? [];
  const [, first, rest] = /^(\S+)\s+[-–:]?\s*(.+)$/.exec(text) ?? [];
  const [, before, last] = /^(.+?)\s+[-–:(]?(\S+?)\)?$/.exec(text) ?? [];
  const parts = [text, text.toUpperCase(), bracketed, after, first, rest, before, last];
  return parts.filter((part) => part !== undefined && part !== '') as readonly string[];
}

/** All that a record may be called. */
function textsOf(record: RecordValues, keys: readonly string[]): ReadonlySet<string> {
  const own = keys.map((key) => String(record[key] ?? '')).filter((text) => text !== '');
  const pairs = own.flatMap((one) => own.filter((other) => other !== one).map((other) => one + other));
  return new Set([String(record.display_name ?? ''), ...own, ...pairs].map(keyOf));
}
