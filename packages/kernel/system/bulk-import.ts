import { currentUser, defineModel, fields, type RecordOf } from '@kontor/orm/author';

const importFields = {
  name: fields.char({ size: 200 }),
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', default: currentUser, readonly: true }),
  model: fields.char({ required: true, size: 128 }),
  import_mode: fields.selection(
    { create: 'Create', upsert: 'Create or update' },
    { required: true, default: 'create' },
  ),
  column_mapping: fields.json({}),
  next: fields.char({ size: 2000 }),
  skip_invalid: fields.boolean({}),
  state: fields.selection(
    { draft: 'Draft', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
    { required: true, default: 'draft', readonly: true },
  ),
  headers: fields.json({ readonly: true }),
  preview: fields.json({ readonly: true }),
  total: fields.integer({ readonly: true, default: 0 }),
  imported: fields.integer({ readonly: true, default: 0 }),
  updated: fields.integer({ readonly: true, default: 0 }),
  skipped: fields.integer({ readonly: true, default: 0 }),
  errors: fields.json({ readonly: true }),
};
export interface SysBulkImport extends RecordOf<typeof importFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.bulk.import': SysBulkImport;
  }
}

export const sysBulkImport = defineModel('sys.bulk.import', {
  label: 'Import batch',
  order: '-id',
  displayName: '{model} #{id}',
  fields: importFields,
});
