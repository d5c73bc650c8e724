import type { FieldType } from '@kontor/orm';
import { dates, numbers } from './attributes.ts';

export interface WidgetSpec {
  /** Field types that it can show; any when absent. */
  readonly types?: readonly FieldType[];
  readonly doc: string;
}
export type Widgets = ReadonlyMap<string, WidgetSpec>;

const entries: Readonly<Record<string, WidgetSpec>> = {
  activity: {
    types: ['integer'],
    doc: 'On `id`: what is next to do about the record, and a way to plan it; for models with a chatter.',
  },
  avatar: { types: ['image', 'binary'], doc: 'A small round picture.' },
  badge: { types: ['selection', 'char', 'many2one', 'boolean', 'integer'], doc: 'The value in a coloured pill.' },
  checkboxes: { types: ['many2many'], doc: 'A box to tick for every record there is.' },
  code: { types: ['text', 'char', 'html', 'json'], doc: 'Text of fixed width.' },
  color: { types: ['integer', 'char'], doc: 'A colour to pick.' },
  copy: { types: ['char', 'text'], doc: 'The value with a button that copies it.' },
  domain: {
    types: ['json', 'char', 'text'],
    doc: 'An editor of domains; `options.model` names the field that holds the model.',
  },
  duration: { types: numbers, doc: 'Hours and minutes.' },
  email: { types: ['char'], doc: 'A link that writes a mail.' },
  file: { types: ['binary', 'image'], doc: 'A file to upload and download.' },
  groups: { types: ['many2many'], doc: 'Groups of people by app, each as a level to choose.' },
  handle: { types: ['integer'], doc: 'A grip to drag the row by.' },
  html: { types: ['html', 'text'], doc: 'Formatted text.' },
  image: { types: ['image', 'binary'], doc: 'A picture.' },
  import_mapping: { types: ['json'], doc: 'What an import does: columns to fields, a check, the import itself.' },
  json: { types: ['json'], doc: 'JSON, checked as it is typed.' },
  language: { types: ['char'], doc: 'One of the installed languages.' },
  many2one_avatar: { types: ['many2one'], doc: 'The name with a small round picture or initials.' },
  monetary: { types: numbers, doc: 'An amount with its currency.' },
  password: { types: ['char'], doc: 'Hidden as it is typed.' },
  percentage: { types: numbers, doc: 'A fraction as per cent.' },
  phone: { types: ['char'], doc: 'A link that calls.' },
  priority: { types: ['selection', 'integer'], doc: 'Stars.' },
  progressbar: { types: numbers, doc: 'A bar from 0 to 100.' },
  radio: { types: ['selection', 'many2one'], doc: 'Every choice at once, one to pick.' },
  remaining_days: {
    types: dates,
    doc: 'How many days are left or over; the plain date where the condition `options.done` holds.',
  },
  selection: { types: ['selection', 'many2one'], doc: 'A drop-down.' },
  statusbar: { types: ['selection', 'many2one'], doc: 'All steps, the present one marked.' },
  tags: { types: ['many2many', 'one2many'], doc: 'Names as tags, in the colour of their `color` field.' },
  textarea: { types: ['char', 'text'], doc: 'Several lines.' },
  timezone: { types: ['char'], doc: 'A time zone, found by typing.' },
  toggle: { types: ['boolean'], doc: 'A switch.' },
  url: { types: ['char'], doc: 'A link.' },
};

/** The field widgets of the client. Addons with a client of their own add to them. */
export const clientWidgets: Widgets = new Map(Object.entries(entries));

/** What the client itself does for a `<button type="client">`, and for whom: things that need a page or a dialog of its own. */
export const clientCommands: ReadonlyMap<string, { readonly groups?: readonly string[]; readonly doc: string }> =
  new Map([
    ['new_api_key', { groups: ['base.group_system'], doc: 'Makes an API key for a user and shows its secret once.' }],
    ['reset_password', { groups: ['base.group_system'], doc: 'Gives a user a link to choose a new password.' }],
  ]);
