import { currentUser, defineModel, fields, type RecordOf } from '@kontor/orm/author';

const apikeyFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', default: currentUser, readonly: true }),
  name: fields.char({ required: true, size: 200 }),
  prefix: fields.char({ readonly: true, size: 11, copy: false }),
  key_hash: fields.char({ secret: true, readonly: true, unique: true, size: 64, copy: false }),
  expires_at: fields.datetime({ label: 'Expires' }),
  scope: fields.json({ readonly: true, help: 'Methods by model, such as {"sale.order": ["read"]}. Empty: all.' }),
  last_used_at: fields.datetime({ label: 'Last used', readonly: true, copy: false }),
  last_write_lsn: fields.char({ size: 32, secret: true, readonly: true, copy: false }),
  active: fields.boolean({ default: true }),
};

export interface CoreUserApikey extends RecordOf<typeof apikeyFields> {}
declare module '@kontor/orm' {
  interface Models {
    'core.user.apikey': CoreUserApikey;
  }
}

export const coreUserApikey = defineModel('core.user.apikey', {
  label: 'API key',
  order: '-id',
  displayName: '{name} ({prefix}…)',
  fields: apikeyFields,
});
