import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { checkLastAdmin } from './administrators.ts';

const groupFields = {
  name: fields.char({ required: true, size: 200 }),
  key: fields.char({ required: true, unique: true, size: 128, help: 'Technical name, such as base.group_user.' }),
  implied_ids: fields.many2many('core.group', {
    label: 'Implies',
    through: { table: 'core_group_implied_rel', own: 'group_id', other: 'implied_id' },
  }),
  implied_by_ids: fields.many2many('core.group', {
    label: 'Implied by',
    copy: false,
    through: { table: 'core_group_implied_rel', own: 'implied_id', other: 'group_id' },
  }),
  user_ids: fields.many2many('core.user', {
    label: 'Users',
    through: { table: 'core_group_user_rel', own: 'group_id', other: 'user_id' },
  }),
  access_ids: fields.one2many('sys.access', 'group_id', { label: 'Access rights', groups: ['base.group_system'] }),
  rule_ids: fields.many2many('sys.rule', {
    label: 'Record rules',
    copy: false,
    groups: ['base.group_system'],
    through: { table: 'sys_rule_group_rel', own: 'group_id', other: 'rule_id' },
  }),
  comment: fields.text({ label: 'Note' }),
};

export interface CoreGroup extends FieldsOf<typeof groupFields> {}
declare module '@kontor/orm' {
  interface Models {
    'core.group': CoreGroup;
  }
}

export const coreGroup = defineModel('core.group', {
  label: 'Group',
  order: 'name, id',
  fields: groupFields,
  hooks: {
    async afterWrite({ env }) {
      await checkLastAdmin(env);
    },
    async afterUnlink({ env }) {
      await checkLastAdmin(env);
    },
  },
});
