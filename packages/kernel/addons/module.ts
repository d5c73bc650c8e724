import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';

const moduleFields = {
  name: fields.char({ required: true, unique: true, size: 64, label: 'Technical name' }),
  label: fields.char({ required: true, size: 200 }),
  version: fields.char({ size: 32 }),
  state: fields.selection(
    { uninstalled: 'Not installed', installed: 'Installed', inactive: 'Inactive' },
    { required: true, default: 'uninstalled' },
  ),
  summary: fields.text({}),
  category: fields.char({ size: 128 }),
  application: fields.boolean({}),
  depends: fields.json({}),
  auto_install: fields.boolean({}),
  author: fields.char({ size: 200 }),
  icon: fields.char({ size: 200 }),
};
export interface SysModule extends FieldsOf<typeof moduleFields> {}

const migrationFields = {
  module: fields.char({ required: true, size: 64 }),
  name: fields.char({ required: true, size: 200 }),
  checksum: fields.char({ required: true, size: 64 }),
  applied_at: fields.datetime({ required: true, default: now }),
};
export interface SysMigration extends FieldsOf<typeof migrationFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.module': SysModule;
    'sys.migration': SysMigration;
  }
}

export const sysModule = defineModel('sys.module', {
  label: 'Module',
  order: 'label, id',
  displayName: '{label}',
  quiet: true,
  fields: moduleFields,
});

export const sysMigration = defineModel('sys.migration', {
  label: 'Migration',
  order: 'module, name',
  displayName: '{module}/{name}',
  quiet: true,
  fields: migrationFields,
  uniques: { module_and_name: { fields: ['module', 'name'] } },
});
