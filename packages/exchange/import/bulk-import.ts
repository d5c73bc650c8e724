import { looseEnv } from '@kontor/orm';
import { type CallsOf, currentUser, defineModel, type FieldsOf, fields, openPath } from '@kontor/orm/author';
import { ValidationError } from '@kontor/protocol';
import { parseFixes } from './import-fixes.ts';
import { cancelImport, runImport } from './run-import.ts';
import { chooseSheet, takeField } from './stage-import.ts';

const importFields = {
  name: fields.char({ label: 'File', size: 200, readonly: true }),
  user_id: fields.many2one('core.user', {
    ...{ label: 'By', required: true, ondelete: 'cascade', default: currentUser, readonly: true },
  }),
  model: fields.char({ required: true, size: 128, readonly: true }),
  model_label: fields.char({ label: 'Into', size: 200, readonly: true }),
  import_mode: fields.selection(
    { create: 'Create', upsert: 'Create or update' },
    { label: 'Import as', required: true, default: 'create' },
  ),
  column_mapping: fields.json({ help: 'Which field each column of the file goes to: {"E-mail": "email"}.' }),
  guesses: fields.json({ label: 'How columns were recognised', readonly: true }),
  fixes: fields.json({ help: 'What to do with values that are not valid.' }),
  sheets: fields.json({ label: 'Sheets', readonly: true }),
  sheet: fields.char({ label: 'Sheet', size: 200, readonly: true }),
  encoding: fields.char({ label: 'Encoding', size: 20, readonly: true }),
  next: fields.char({ label: 'Goes on at', size: 2000, readonly: true }),
  skip_invalid: fields.boolean({ label: 'Skip invalid rows', flag: true }),
  state: fields.selection(
    { draft: 'Draft', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
    { required: true, default: 'draft', readonly: true },
  ),
  headers: fields.json({ label: 'Columns', readonly: true }),
  preview: fields.json({ label: 'First rows', readonly: true }),
  targets: fields.json({ label: 'Fields to choose from', readonly: true }),
  total: fields.integer({ label: 'Rows', readonly: true, default: 0 }),
  imported: fields.integer({ readonly: true, default: 0 }),
  updated: fields.integer({ readonly: true, default: 0 }),
  skipped: fields.integer({ readonly: true, default: 0 }),
  errors: fields.json({ label: 'Invalid cells', readonly: true }),
  problems: fields.json({ label: 'Same errors', readonly: true }),
  records_path: fields.text({ label: 'Shows the records at', readonly: true }),
};
export interface SysBulkImport extends FieldsOf<typeof importFields> {}
export interface SysBulkImportCalls extends CallsOf<typeof sysBulkImport> {}

const fileFields = {
  batch_id: fields.many2one('sys.bulk.import', { required: true, ondelete: 'cascade' }),
  content: fields.text({}),
  workbook: fields.binary({ label: 'Workbook' }),
  point_columns: fields.json({ label: 'Columns of typed numbers' }),
  rejects: fields.text({ label: 'Skipped rows' }),
};
export interface SysBulkImportFile extends FieldsOf<typeof fileFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.bulk.import': SysBulkImport;
    'sys.bulk.import.file': SysBulkImportFile;
  }
  interface Calls {
    'sys.bulk.import': SysBulkImportCalls;
  }
}

/** What the mapping form sends, whichever button was pressed. */
const choices = {
  column_mapping: fields.text(),
  fixes: fields.text(),
  skip_invalid: fields.char(),
  duplicates: fields.char(),
};

/** One file on its way in: uploaded, mapped, and confirmed once. */
export const sysBulkImport = defineModel('sys.bulk.import', {
  label: 'Import',
  noCompany: 'An import belongs to one person.',
  order: '-id',
  displayName: '{name}',
  quiet: true,
  fields: importFields,
  hooks: {
    async beforeWrite({ values }) {
      if (values.column_mapping !== undefined) checkMapping(values.column_mapping);
      if (values.fixes !== undefined) parseFixes(values.fixes);
      return values;
    },
  },
  actions: {
    confirm_import: {
      asks: choices,
      run: async ({ env, records, answers }) => openPath(await runImport(looseEnv(env), onlyOne(records.ids), answers)),
    },
    choose_sheet: {
      asks: { sheet: fields.char({ required: true }) },
      run: async ({ env, records, answers }) => chooseSheet(looseEnv(env), onlyOne(records.ids), answers.sheet ?? ''),
    },
    take_field: {
      asks: { column: fields.char({ required: true }), field: fields.char({ required: true }) },
      run: async ({ env, records, answers: { column, field } }) =>
        takeField(looseEnv(env), onlyOne(records.ids), { column: column ?? '', field: field ?? '' }),
    },
    cancel_import: {
      asks: choices,
      run: async ({ env, records }) => openPath(await cancelImport(looseEnv(env), onlyOne(records.ids))),
    },
  },
});

/** What was uploaded, and what came back; for the server alone, and gone with its batch. */
export const sysBulkImportFile = defineModel('sys.bulk.import.file', {
  label: 'File of an import',
  order: '-id',
  displayName: 'File of import {batch_id}',
  quiet: true,
  fields: fileFields,
  uniques: { one_of_a_batch: { fields: ['batch_id'] } },
});

function onlyOne(ids: readonly number[]): number {
  const [id, second] = ids;
  if (id !== undefined && second === undefined) return id;
  throw new ValidationError({ active_ids: ['Import one file at a time.'] });
}

function checkMapping(mapping: unknown): void {
  const isMap = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping);
  const isOfTexts = isMap && Object.values(mapping).every((name) => name === null || typeof name === 'string');
  if (mapping !== null && !isOfTexts) {
    throw new ValidationError({ column_mapping: ['Must be a map of column names to fields.'] });
  }
}
