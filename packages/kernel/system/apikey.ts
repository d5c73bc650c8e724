import { currentUser, defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { accessDenied } from '@kontor/protocol';

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

export interface CoreUserApikey extends FieldsOf<typeof apikeyFields> {}
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
  hooks: {
    async beforeWrite({ env, values }) {
      refuseLongerLife(env, values);
      return values;
    },
  },
});

/** Keys are given by administrators: their owner may end one, but not make it last. */
function refuseLongerLife(env: Env, values: Readonly<Record<string, unknown>>): void {
  if (env.isSudo || env.actor.groups.has('base.group_system')) return;
  for (const field of ['expires_at', 'active']) {
    if (!(field in values) || (field === 'active' && values.active === false)) continue;
    throw accessDenied('core.user.apikey', 'write', 'field', {
      field,
      message: 'Only an administrator can make an API key last longer.',
    });
  }
}
