import { looseEnv } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { revertChangeSet } from './revert-change-set.ts';

const setFields = {
  user_id: fields.many2one('core.user', { ondelete: 'set null', label: 'By' }),
  request_id: fields.char({ size: 128 }),
  reverted: fields.boolean({}),
  change_ids: fields.one2many('sys.change', 'set_id', { label: 'Changes' }),
};
export interface SysChangeSet extends FieldsOf<typeof setFields> {}

const changeFields = {
  set_id: fields.many2one('sys.change.set', { required: true, ondelete: 'cascade' }),
  model: fields.char({ required: true, size: 128 }),
  res_id: fields.integer({ required: true, label: 'Record' }),
  operation: fields.selection({ create: 'Created', write: 'Changed', unlink: 'Deleted' }, { required: true }),
  values: fields.json({ required: true }),
};
export interface SysChange extends FieldsOf<typeof changeFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.change.set': SysChangeSet;
    'sys.change': SysChange;
  }
}

export const sysChangeSet = defineModel('sys.change.set', {
  label: 'Change set',
  order: '-id',
  displayName: 'Change set {id}',
  quiet: true,
  fields: setFields,
  actions: {
    /** Undo: whoever may see the set may take it back, as far as their rights on the records go. */
    revert: {
      needs: 'read',
      run: async ({ env, records }) => {
        for (const id of [...records.ids].sort((a, b) => b - a)) await revertChangeSet(looseEnv(env), id);
      },
    },
  },
});

export const sysChange = defineModel('sys.change', {
  label: 'Change',
  order: 'id',
  displayName: '{operation} {model} {res_id}',
  quiet: true,
  fields: changeFields,
  indexes: ['model, res_id'],
});
