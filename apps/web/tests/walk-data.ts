import { type Database, ident, sql } from '@kontor/database';

/** What the texts of every record become, one kind after the other in the same database; `empty` leaves what may be empty empty. */
export const textKinds = ['long', 'short', 'rtl', 'empty'] as const;
export type TextKind = (typeof textKinds)[number];

const words: Readonly<Record<Exclude<TextKind, 'empty'>, string>> = {
  long: 'Wohnungsbaugenossenschaft der Donaudampfschifffahrtsgesellschaft für nachhaltige Beschaffung mbH & Co. KG',
  short: 'A',
  rtl: 'مؤسسة المعارض الدولية للفنون الجميلة والتراث في المنطقة الشرقية المحدودة',
};

/** Columns with texts that people give; the others are codes, keys, addresses and what the program reads. */
const given =
  '^(name|title|label|subject|summary|description|comment|note|notes|requirements|street|street2|city|function|contact_name|partner_name|client_reference|reference|memo|full_name|display_name|lost_reason|payee|purpose|text)$';

interface Column {
  readonly table_name: string;
  readonly column_name: string;
  readonly size: number | null;
}

/** Gives all records of apps such texts. A column that refuses them (a unique name, a check) gets them with the id, or keeps its own. */
export async function fillTexts(database: Database, kind: TextKind): Promise<void> {
  const columns = await database.query<Column>(sql`
    select table_name, column_name, character_maximum_length as size from information_schema.columns
    where table_schema = 'public' and table_name !~ '^(sys_|core_(lang|currency|country))'
      and data_type in ('character varying', 'text') and is_generated = 'NEVER'
      and column_name ~ ${given} and (${kind !== 'empty'} or is_nullable = 'YES')
    order by 1, 2`);
  for (const { table_name: table, column_name: column, size } of columns) {
    const text = kind === 'empty' ? null : words[kind].slice(0, Math.max(1, (size ?? 200) - 8));
    const [of, into] = [ident(table), ident(column)];
    const plain = sql`update ${of} set ${into} = ${text}::text`;
    const counted = sql`update ${of} set ${into} = ${text}::text || ' ' || id`;
    for (const change of text === null ? [plain] : [plain, counted]) if (await isTaken(database, change)) break;
  }
}

async function isTaken(database: Database, change: Parameters<Database['execute']>[0]): Promise<boolean> {
  return database.execute(change).then(
    () => true,
    () => false,
  );
}
