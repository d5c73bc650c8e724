import { fields, now } from '@kontor/orm/author';

const own = { readonly: true, copy: false } as const;

/**
 * Fields that the model of a queue needs in addition to its own. New rows wait for work.
 * ```ts
 * const labelFields = { text: fields.char({ required: true }), ...queueFields };
 * export interface LibraryLabel extends FieldsOf<typeof labelFields> {}
 * declare module '@kontor/addon' {
 *   interface Models {
 *     'library.label': LibraryLabel;
 *   }
 * }
 * export const libraryLabel = defineModel('library.label', { label: 'Label', quiet: true, fields: labelFields, indexes: queueIndexes });
 * ```
 */
export const queueFields = {
  state: fields.selection(
    { waiting: 'Waiting', running: 'Running', done: 'Done', dead: 'Given up' },
    { required: true, default: 'waiting', ...own },
  ),
  attempts: fields.integer({ required: true, default: 0, label: 'Tries', ...own }),
  next_try: fields.datetime({ required: true, default: now, ...own }),
  first_try: fields.datetime(own),
  last_error: fields.text(own),
  locked_by: fields.char({ size: 64, ...own }),
  locked_until: fields.datetime(own),
};

/**
 * The indexes by which a queue finds its rows; see `queueFields`.
 * ```ts
 * export const indexes = [...queueIndexes, 'create_date'];
 * ```
 */
export const queueIndexes = ['state, next_try', 'locked_until'];
