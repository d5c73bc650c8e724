import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { readFeed } from './read-feed.ts';

/** How long changes are kept. A cursor is valid for a day less, since a change is as old as the start of its transaction. */
export const keptDays = 60;

const feedFields = {
  cursor: fields.char({ size: 2_000, readonly: true }),
  model: fields.char({ size: 128, readonly: true }),
  res_id: fields.integer({ label: 'Record', readonly: true }),
  operation: fields.selection(
    { create: 'Created', write: 'Changed', unlink: 'Gone', skip: 'Nothing up to here' },
    { readonly: true, help: 'Deleted, or no longer visible to the caller.' },
  ),
  fields: fields.json({ label: 'Changed fields', readonly: true }),
  at: fields.datetime({ label: 'Changed on', readonly: true }),
  change_set: fields.integer({ label: 'Change set', aggregate: 'none', readonly: true }),
};
export interface SysFeed extends FieldsOf<typeof feedFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.feed': SysFeed;
  }
}

/** The changes after a cursor, in the order of the log, for programs that keep a copy of some records. */
export const sysFeed = defineModel('sys.feed', {
  label: 'Change feed',
  order: 'id',
  displayName: '{operation} {model} {res_id}',
  quiet: true,
  fields: feedFields,
  served: { read: readFeed },
});
