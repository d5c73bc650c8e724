import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const runFields = {
  cron: fields.integer({ required: true, index: true }),
  process: fields.integer({ required: true }),
  began: fields.datetime({ required: true }),
  ended: fields.datetime({}),
};
export interface ProbeRun extends FieldsOf<typeof runFields> {}
declare module '@kontor/addon' {
  interface Models {
    'probe.run': ProbeRun;
  }
}

export const probeRun = defineModel('probe.run', {
  label: 'Run',
  displayName: '{cron} {id}',
  quiet: true,
  fields: runFields,
});
