import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { checkAutomations } from './check-automations.ts';

const automationFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128, index: true }),
  trigger: fields.selection(
    { create: 'On creation', write: 'On change', unlink: 'On deletion', cron: 'On schedule' },
    { required: true, default: 'write' },
  ),
  domain: fields.json({ help: 'Which records it concerns; empty: all.' }),
  action: fields.text({ required: true, help: 'publish:<channel> or write:{"field": value}.' }),
  active: fields.boolean({ default: true }),
  module: fields.char({ size: 64, readonly: true }),
};
export interface SysAutomation extends FieldsOf<typeof automationFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.automation': SysAutomation;
  }
}

export const sysAutomation = defineModel('sys.automation', {
  label: 'Automation',
  order: 'model, id',
  fields: automationFields,
  hooks: {
    async afterCreate({ env, ids }) {
      await checkAutomations(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      if (['model', 'trigger', 'domain', 'action'].some((name) => name in values)) await checkAutomations(env, ids);
    },
  },
});
