import { sql } from '@kontor/database';
import { checkModelAccess, type Env, knownField } from '@kontor/orm';
import { fieldType, type ImportTarget, invalidArgs, nearest, text } from '@kontor/protocol';
import { badFile, decodeFile, openTable, type Table } from './open-table.ts';
import { type ColumnMapping, type ImportMode, importTargets } from './plan-columns.ts';
import { idPattern } from './relation-lookup.ts';

export interface StagedUpload {
  readonly model: string;
  readonly fileName: string;
  readonly content: Buffer;
  /** Fields that were chosen on screen; empty: any. */
  readonly fields: readonly string[];
  readonly mode: ImportMode;
  /** Checked by whoever asks: a path of this server under /web. */
  readonly next: string | null;
}

const previewRows = 20;

/** Keeps an uploaded file as a batch with a proposed mapping, for its person to look at. Nothing is imported yet. */
export async function stageImport(env: Env, upload: StagedUpload): Promise<number> {
  const model = env.registry.model(upload.model);
  checkModelAccess(env, env.registry.model('sys.bulk.import'), 'write');
  checkModelAccess(env, model, 'read');
  checkModelAccess(env, model, 'create');
  for (const name of upload.fields) if (name !== 'id') knownField(model, name);
  const content = decodeFile(upload.content);
  const table = openTable(content);
  const { total, preview } = lookThrough(table);
  if (total === 0) throw badFile(text('The file has column names and no rows.'));
  const targets = importTargets(env, model);
  const chosen = upload.fields.length === 0 ? targets : targets.filter(({ name }) => upload.fields.includes(name));
  const id = await env
    .sudo()
    .model('sys.bulk.import')
    .create({
      ...{
        name: upload.fileName.slice(0, 200),
        user_id: env.uid,
        model: model.name,
        model_label: model.label,
        import_mode: upload.mode,
      },
      ...{ next: upload.next, headers: table.headers, preview, total, targets },
      column_mapping: usable(proposeMapping(table.headers, chosen), table.headers, preview, upload.mode),
    });
  await env.db.execute(sql`
    insert into sys_bulk_import_file (batch_id, content, create_date, create_uid, write_date, write_uid)
    values (${id}::int4, ${content}, now(), ${env.uid}::int4, now(), ${env.uid}::int4)`);
  return id;
}

/** Every row is looked at once, so that a file that is broken further down is refused now. Blank rows keep their place. */
function lookThrough(table: Table): { readonly total: number; readonly preview: readonly (readonly string[])[] } {
  const preview: string[][] = [];
  let total = 0;
  for (const { row, cells } of table.rows()) {
    total++;
    if (row - 2 >= previewRows) continue;
    while (preview.length < row - 2) preview.push([]);
    preview.push(table.headers.map((_, index) => (cells[index] ?? '').slice(0, 500)));
  }
  return { total, preview };
}

/** Records that are to be made have no id yet: a column of them is only for updates. */
function usable(
  mapping: ColumnMapping,
  headers: readonly string[],
  preview: readonly (readonly string[])[],
  mode: ImportMode,
): ColumnMapping {
  const header = headers.find((each) => mapping[each] === 'id');
  if (header === undefined || mode === 'upsert') return mapping;
  const isOfNumbers = preview.some((cells) => idPattern.test((cells[headers.indexOf(header)] ?? '').trim()));
  if (!isOfNumbers) return mapping;
  return Object.fromEntries(Object.entries(mapping).filter(([each]) => each !== header));
}

export function importMode(given: string): ImportMode {
  if (given === '' || given === 'create') return 'create';
  if (given === 'upsert') return 'upsert';
  throw invalidArgs('import_mode must be create or upsert.', { field: 'import_mode', hint: 'create, upsert' });
}

/**
 * Which field each column most likely is: by technical name, then by label, then by what is nearly one of them. Every field
 * goes to one column at most.
 */
export function proposeMapping(headers: readonly string[], targets: readonly ImportTarget[]): ColumnMapping {
  const open = new Map(targets.map((target) => [target.name, target]));
  const mapping = new Map<string, string>();
  const take = (header: string, name: string | undefined): void => {
    if (name === undefined || mapping.has(header) || !open.delete(name)) return;
    mapping.set(header, name);
  };
  for (const header of headers) take(header, byName(header, open));
  for (const header of headers) take(header, byLabel(header, open));
  for (const header of headers) if (!mapping.has(header)) take(header, byGuess(header, open));
  const inOrder = headers.flatMap((header) => {
    const name = mapping.get(header);
    return name === undefined ? [] : [[header, name] as const];
  });
  return Object.fromEntries(inOrder);
}

type Open = ReadonlyMap<string, ImportTarget>;

/** `partner_id.display_name`, `partner_id.name` and `partner_id/id` are ways of others to write `partner_id`. */
function byName(header: string, open: Open): string | undefined {
  const name = header.trim().toLowerCase();
  const [first = ''] = name.split(/[./]/, 1);
  const isRelation = fieldType(open.get(first)?.type).isRelation;
  const tail = name.slice(first.length + 1);
  return open.has(name) ? name : isRelation && ['id', 'name', 'display_name'].includes(tail) ? first : undefined;
}

function byLabel(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  return [...open.values()].find(({ name, label }) => keyOf(label) === key || keyOf(name) === key)?.name;
}

function byGuess(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  if (key.length < 4) return undefined;
  const names = new Map<string, string>();
  for (const { name, label } of open.values()) {
    for (const each of [keyOf(label), keyOf(name), keyOf(name.replace(/_ids?$/, ''))]) {
      if (each.length > 2 && !names.has(each)) names.set(each, name);
    }
  }
  return names.get(nearest(key, names.keys()) ?? '');
}

/** Letters and digits alone, without accents: `E-Mail-Adresse` and `email adresse` are the same. */
function keyOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
