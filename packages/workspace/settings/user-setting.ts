import { currentUser, defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { didYouMean, text, ValidationError } from '@kontor/protocol';

const searchFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128, index: true, names: 'model' }),
  action: fields.char({
    size: 200,
    help: 'Key of the screen it belongs to, such as sale.orders. Empty: all of the model.',
  }),
  query: fields.char({
    names: 'query',
    required: true,
    size: 4000,
    help: 'Query of the workspace: filter, q, domain, group_by, sort.',
    clean: (given) => given.replace(/^\?/, ''),
  }),
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', default: currentUser, readonly: true }),
  is_shared: fields.boolean({ label: 'Shared with everyone' }),
  is_default: fields.boolean({ label: 'Opens with the screen' }),
};
export interface SysSavedSearch extends FieldsOf<typeof searchFields> {}

const settingFields = {
  user_id: fields.many2one('core.user', { required: true, ondelete: 'cascade', default: currentUser, readonly: true }),
  key: fields.char({ required: true, size: 200, help: 'Such as theme, or columns:sale.orders.' }),
  value: fields.json({}),
};
export interface SysUserSetting extends FieldsOf<typeof settingFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.saved.search': SysSavedSearch;
    'sys.user.setting': SysUserSetting;
  }
}

export const sysSavedSearch = defineModel('sys.saved.search', {
  label: 'Saved search',
  noCompany: 'A search belongs to one person; people of their companies see it once it is shared.',
  ownRules: 'People keep their own searches, though they may not change users; shared ones are for everyone.',
  order: 'name, id',
  fields: searchFields,
  uniques: {
    name_of_one: { fields: ['user_id', 'model', 'name'], message: 'You already have a search with this name.' },
  },
  hooks: {
    async afterCreate({ env, ids, values }) {
      for (const row of values) checkModel(env, row);
      if (values.some((row) => row.is_default === true)) await keepOneDefault(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      checkModel(env, values);
      if (values.is_default === true) await keepOneDefault(env, ids);
    },
  },
});

const themes: readonly unknown[] = ['system', 'light', 'dark'];

export const sysUserSetting = defineModel('sys.user.setting', {
  label: 'Personal setting',
  noCompany: 'A setting belongs to one person.',
  order: 'key, id',
  displayName: '{key}',
  // Personal settings raise no events and are not part of undo.
  quiet: true,
  fields: settingFields,
  uniques: { user_and_key: { fields: ['user_id', 'key'] } },
  constraints: {
    known_theme: {
      on: ['key', 'value'],
      holds: ({ key, value }) => key !== 'theme' || themes.includes(value),
      message: 'A theme is system, light or dark.',
      field: 'value',
    },
  },
});

function checkModel({ registry }: Env, { model }: { readonly model?: string }): void {
  if (model === undefined || registry.models.has(model)) return;
  const hint = didYouMean(model, registry.models.keys());
  throw new ValidationError({ model: [text('There is no model {model}.{hint}', { model, hint })] });
}

/** Of a user's searches for a screen, only the last one marked as default opens with it. */
async function keepOneDefault(env: Env, ids: readonly number[]): Promise<void> {
  const searches = env.sudo().model('sys.saved.search');
  for (const row of await searches.read(ids, ['user_id', 'model', 'action', 'is_default'])) {
    if (!row.is_default) continue;
    const others = await searches.search([
      ['user_id', '=', row.user_id],
      ['model', '=', row.model],
      ['action', '=', row.action],
      ['is_default', '=', true],
      ['id', '!=', row.id],
    ]);
    if (others.length > 0) await searches.write(others, { is_default: false });
  }
}
