import { sql } from '@kontor/database';
import { checkModelAccess, type Env, knownField } from '@kontor/orm';
import { type ImportTarget, invalidArgs, UserError } from '@kontor/protocol';
import { proposeMapping } from './guess-fields.ts';
import { lockStaged, readStagedWorkbook } from './import-batch.ts';
import { importTargets, type LabelsOf } from './import-targets.ts';
import type { ColumnMapping, ImportMode } from './plan-columns.ts';
import { type ReadFile, readUpload } from './read-upload.ts';
import { idPattern } from './relation-lookup.ts';

export interface StagedUpload {
  readonly model: string;
  readonly fileName: string;
  readonly file: ReadFile;
  /** Fields that were chosen on screen; empty: any. */
  readonly fields: readonly string[];
  readonly mode: ImportMode;
  /** Checked by the caller: a path of this server under /web. */
  readonly next: string | null;
}

/** Stores an uploaded file as a batch with a proposed mapping, for review. Nothing is imported yet. */
export async function stageImport(env: Env, upload: StagedUpload, labelsOf: LabelsOf): Promise<number> {
  const model = env.registry.model(upload.model);
  checkModelAccess(env, env.registry.model('sys.bulk.import'), 'write');
  checkModelAccess(env, model, 'read');
  checkModelAccess(env, model, 'create');
  for (const name of upload.fields) if (name !== 'id') knownField(model, name);
  const { file } = upload;
  const targets = importTargets(env, model, labelsOf);
  const chosen = upload.fields.length === 0 ? targets : targets.filter(({ name }) => upload.fields.includes(name));
  const table = stagedTable(file, chosen, upload.mode);
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
      ...{ next: upload.next, targets, sheets: file.sheets, sheet: file.sheet, encoding: file.encoding, ...table },
    });
  await env.db.execute(sql`
    insert into sys_bulk_import_file
      (batch_id, content, point_columns, workbook, create_date, create_uid, write_date, write_uid)
    values (${id}::int4, ${file.csv}, ${JSON.stringify(file.pointColumns)}::jsonb, ${file.workbook}::bytea,
      now(), ${env.uid}::int4, now(), ${env.uid}::int4)`);
  return id;
}

/** Selects another sheet of the uploaded workbook. The mapping of the previous one is dropped. */
export async function chooseSheet(env: Env, batchId: number, sheet: string): Promise<void> {
  const { state, mode, targets } = await lockStaged(env, batchId);
  if (state !== 'draft' && state !== 'failed') throw importIsOver();
  const file = await readUpload(await readStagedWorkbook(env.db, batchId), sheet);
  const table = stagedTable(file, targets, mode);
  // Rules let users call an action only on their own batches; only the server writes these fields.
  await env
    .sudo()
    .model('sys.bulk.import')
    .write([batchId], { ...table, sheet, fixes: {}, errors: [], problems: [] });
  await env.db.execute(sql`
    update sys_bulk_import_file set content = ${file.csv}, point_columns = ${JSON.stringify(file.pointColumns)}::jsonb,
      rejects = null
    where batch_id = ${batchId}::int4`);
}

/** Maps a column to a field that was added to the model after the file was uploaded. */
export async function takeField(
  env: Env,
  batchId: number,
  { column, field }: { readonly column: string; readonly field: string },
): Promise<void> {
  const { state, model, mapping, targets, headers } = await lockStaged(env, batchId);
  if (state !== 'draft' && state !== 'failed') throw importIsOver();
  if (!headers.includes(column)) throw invalidArgs(`The file has no column "${column}".`, { field: 'column' });
  const target = importTargets(env, env.registry.model(model), () => []).find(({ name }) => name === field);
  if (!target) throw invalidArgs(`${field} cannot be imported.`, { field: 'field' });
  const others = Object.entries(mapping).filter(([header, name]) => header !== column && name !== field);
  await env
    .sudo()
    .model('sys.bulk.import')
    .write([batchId], {
      targets: [...targets.filter(({ name }) => name !== field), target],
      column_mapping: { ...Object.fromEntries(others), [column]: field },
    });
}

function stagedTable({ headers, preview, total }: ReadFile, targets: readonly ImportTarget[], mode: ImportMode) {
  const { mapping, guesses } = proposeMapping(headers, targets);
  return { headers, preview, total, column_mapping: usable(mapping, headers, preview, mode), guesses };
}

/** Records and lines that are to be made have no id yet: a column of them is only for updates. */
function usable(
  mapping: ColumnMapping,
  headers: readonly string[],
  preview: readonly (readonly string[])[],
  mode: ImportMode,
): ColumnMapping {
  if (mode === 'upsert') return mapping;
  const isOfNumbers = (header: string): boolean =>
    preview.some((cells) => idPattern.test((cells[headers.indexOf(header)] ?? '').trim()));
  const kept = Object.entries(mapping).filter(([header, name]) => !/(?:^|\/)id$/.test(name) || !isOfNumbers(header));
  return Object.fromEntries(kept);
}

export function importMode(given: string): ImportMode {
  if (given === '' || given === 'create') return 'create';
  if (given === 'upsert') return 'upsert';
  throw invalidArgs('import_mode must be create or upsert.', { field: 'import_mode', hint: 'create, upsert' });
}

function importIsOver(): UserError {
  return new UserError('This import is over. Upload the file again.');
}
