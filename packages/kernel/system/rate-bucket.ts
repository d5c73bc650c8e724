import { defineModel, type FieldsOf, fields, now } from '@kontor/orm/author';

const bucketFields = {
  client: fields.char({ required: true, unique: true, size: 128 }),
  tokens: fields.float({ required: true, help: 'Requests that the client has left.' }),
  at: fields.datetime({ required: true, default: now, index: true }),
};
export interface SysRateBucket extends FieldsOf<typeof bucketFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.rate.bucket': SysRateBucket;
  }
}

/** What a client has left of its requests a minute at the login, for every process alike. */
export const sysRateBucket = defineModel('sys.rate.bucket', {
  label: 'Request allowance',
  order: '-id',
  displayName: '{client}',
  quiet: true,
  fields: bucketFields,
});
