import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { checkWithoutViews, checkWrittenActions, checkWrittenViews } from '../check-interface.ts';

const viewFields = {
  name: fields.char({ required: true, size: 200 }),
  key: fields.char({ size: 200, unique: true, help: 'External id, such as sale.order_form.' }),
  model: fields.char({ required: true, size: 128, index: true }),
  type: fields.char({ required: true, size: 16 }),
  arch: fields.text({ required: true }),
  inherit_id: fields.many2one('sys.view', { ondelete: 'cascade', label: 'Inherits' }),
  priority: fields.integer({ default: 16, required: true }),
  module: fields.char({ size: 64 }),
  file: fields.char({ size: 300 }),
  line: fields.integer({}),
  group_ids: fields.many2many('core.group', { label: 'Groups' }),
  active: fields.boolean({ default: true }),
};
export interface SysView extends FieldsOf<typeof viewFields> {}

const actionFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128 }),
  view_mode: fields.char({ required: true, size: 200, default: 'list,form' }),
  domain: fields.json({}),
  context: fields.json({}),
  target: fields.selection({ current: 'Main area', dialog: 'Dialog' }, { default: 'current' }),
  limit: fields.integer({ min: 1, max: 500 }),
  order: fields.char({ size: 200 }),
  help: fields.html({}),
  module: fields.char({ size: 64 }),
  group_ids: fields.many2many('core.group', { label: 'Groups' }),
};
export interface SysActionWindow extends FieldsOf<typeof actionFields> {}

const menuFields = {
  name: fields.char({ required: true, size: 200 }),
  parent_id: fields.many2one('sys.menu', { ondelete: 'cascade', label: 'Parent' }),
  action_id: fields.many2one('sys.action.window', { ondelete: 'cascade', label: 'Action' }),
  sequence: fields.integer({ default: 10, required: true }),
  icon: fields.char({ size: 200 }),
  is_counted: fields.boolean({
    default: false,
    label: 'Shows a count',
    help: 'Shows how many records its action leads to.',
  }),
  module: fields.char({ size: 64 }),
  group_ids: fields.many2many('core.group', { label: 'Groups' }),
  active: fields.boolean({ default: true }),
};
export interface SysMenu extends FieldsOf<typeof menuFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.view': SysView;
    'sys.action.window': SysActionWindow;
    'sys.menu': SysMenu;
  }
}

export const sysView = defineModel('sys.view', {
  label: 'View',
  order: 'model, priority, id',
  fields: viewFields,
  hooks: {
    async afterCreate({ env, ids }) {
      await checkWrittenViews(env, ids);
    },
    async afterWrite({ env, ids }) {
      await checkWrittenViews(env, ids);
    },
    async beforeUnlink({ env, ids }) {
      await checkWithoutViews(env, ids);
    },
  },
});
export const sysActionWindow = defineModel('sys.action.window', {
  label: 'Window action',
  order: 'name, id',
  fields: actionFields,
  constraints: {
    domain_is_a_list: {
      on: ['domain'],
      holds: ({ domain }) => domain === null || Array.isArray(domain),
      message: 'A domain is a list of conditions, not a text.',
    },
    context_is_an_object: {
      on: ['context'],
      holds: ({ context }) => context === null || (typeof context === 'object' && !Array.isArray(context)),
      message: 'A context is an object of names and values, not a text.',
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await checkWrittenActions(env, ids);
    },
    async afterWrite({ env, ids }) {
      await checkWrittenActions(env, ids);
    },
  },
});
export const sysMenu = defineModel('sys.menu', { label: 'Menu', order: 'sequence, id', fields: menuFields });
