import type { FieldType } from '@kontor/orm';
import { dates, numbers } from './attributes.ts';

export interface WidgetSpec {
  /** Supported field types; default: any. */
  readonly types?: readonly FieldType[];
  /** A sentence about it. */
  readonly doc: string;
}
/** The field of a widget, and the `options` it accepts. */
export interface WidgetExample {
  readonly field: string;
  readonly options?: string;
}
interface ClientWidget extends WidgetSpec {
  /** Names of options that are conditions on the record. */
  readonly conditions?: readonly string[];
  readonly example: WidgetExample;
}
export type Widgets = ReadonlyMap<string, WidgetSpec>;

const entries: Readonly<Record<string, ClientWidget>> = {
  activity: {
    types: ['integer'],
    doc: 'On `id`: what is next to do about the record, and a way to plan it; for models with a chatter.',
    example: { field: 'id' },
  },
  avatar: { types: ['image', 'binary'], doc: 'A small round picture.', example: { field: 'image' } },
  badge: {
    types: ['selection', 'char', 'many2one', 'boolean', 'integer'],
    doc: 'The value in a coloured pill.',
    example: { field: 'state' },
  },
  checkboxes: { types: ['many2many'], doc: 'A box to tick for every record there is.', example: { field: 'tag_ids' } },
  code: { types: ['text', 'char', 'html', 'json'], doc: 'Text of fixed width.', example: { field: 'notes' } },
  color: { types: ['integer', 'char'], doc: 'A colour to pick.', example: { field: 'color' } },
  comparison: {
    types: ['json'],
    doc: 'In the dialog of a merge: the records beside each other, what is kept of each field, and what moves. `options.keep` names the field with the kept record.',
    example: { field: 'filter' },
  },
  copy: { types: ['char', 'text'], doc: 'The value with a button that copies it.', example: { field: 'name' } },
  domain: {
    types: ['json', 'char', 'text'],
    doc: 'An editor of domains; `options.model` names the field that holds the model.',
    example: { field: 'filter', options: '{"model": "filter_model"}' },
  },
  duration: { types: numbers, doc: 'Hours and minutes.', example: { field: 'hours' } },
  email: { types: ['char'], doc: 'A link that writes a mail.', example: { field: 'email' } },
  file: { types: ['binary', 'image'], doc: 'A file to upload and download.', example: { field: 'contract' } },
  groups: {
    types: ['many2many'],
    doc: 'Groups of people by app, each as a level to choose.',
    example: { field: 'group_ids' },
  },
  handle: { types: ['integer'], doc: 'A grip to drag the row by.', example: { field: 'sequence' } },
  html: { types: ['html', 'text'], doc: 'Formatted text.', example: { field: 'notes' } },
  iban: { types: ['char'], doc: 'A bank account; an IBAN in groups of four.', example: { field: 'name' } },
  image: {
    types: ['image', 'binary'],
    doc: 'A picture, cut to a square when it is uploaded; `options.whole` keeps its shape.',
    example: { field: 'image' },
  },
  import_mapping: {
    types: ['json'],
    doc: 'What an import does: columns to fields, a check, the import itself.',
    example: { field: 'filter' },
  },
  json: { types: ['json'], doc: 'JSON, checked as it is typed.', example: { field: 'filter' } },
  language: { types: ['char'], doc: 'One of the installed languages.', example: { field: 'lang' } },
  many2one_avatar: {
    types: ['many2one'],
    doc: 'The name with a small round picture or initials.',
    example: { field: 'user_id' },
  },
  monetary: { types: numbers, doc: 'An amount with its currency.', example: { field: 'amount_total' } },
  password: { types: ['char'], doc: 'Hidden as it is typed.', example: { field: 'name' } },
  percentage: { types: numbers, doc: 'A fraction as per cent.', example: { field: 'progress' } },
  phone: { types: ['char'], doc: 'A link that calls.', example: { field: 'phone' } },
  priority: { types: ['selection', 'integer'], doc: 'Stars.', example: { field: 'priority' } },
  progressbar: { types: numbers, doc: 'A bar from 0 to 100.', example: { field: 'progress' } },
  radio: { types: ['selection', 'many2one'], doc: 'Every choice at once, one to pick.', example: { field: 'state' } },
  remaining_days: {
    types: dates,
    conditions: ['done'],
    doc: 'How many days are left or over; the plain date where the condition `options.done` holds.',
    example: { field: 'date_end', options: '{"done": [["state", "=", "cancel"]]}' },
  },
  selection: { types: ['selection', 'many2one'], doc: 'A drop-down.', example: { field: 'stage_id' } },
  statusbar: {
    types: ['selection', 'many2one'],
    doc: 'All steps, the present one marked.',
    example: { field: 'state' },
  },
  tags: {
    types: ['many2many', 'one2many'],
    doc: 'Names as tags, in the colour of their `color` field.',
    example: { field: 'tag_ids' },
  },
  textarea: { types: ['char', 'text'], doc: 'Several lines.', example: { field: 'name' } },
  timezone: { types: ['char'], doc: 'A time zone, found by typing.', example: { field: 'tz' } },
  toggle: { types: ['boolean'], doc: 'A switch.', example: { field: 'all_day' } },
  url: { types: ['char'], doc: 'A link.', example: { field: 'website' } },
};

/** The field widgets of the client. Addons with browser code add to them. */
export const clientWidgets: ReadonlyMap<string, ClientWidget> = new Map(Object.entries(entries));

/** The options of a client's widget that are conditions, as text. */
export function optionConditions(
  widget: string | undefined,
  options: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, text: string])[] {
  const names = clientWidgets.get(widget ?? '')?.conditions ?? [];
  return names
    .filter((name) => options[name] !== undefined)
    .map((name) => [name, JSON.stringify(options[name])] as const);
}

/** Client actions of `<button type="client">`, and who may use them: features that need their own page or dialog. */
export const clientCommands: ReadonlyMap<string, { readonly groups?: readonly string[]; readonly doc: string }> =
  new Map([
    ['new_api_key', { groups: ['base.group_system'], doc: 'Makes an API key for a user and shows its secret once.' }],
    [
      'rotate_api_key',
      { doc: 'Creates a new secret for an API key and shows it once; the old one stays valid for a while.' },
    ],
    ['invite', { groups: ['base.group_system'], doc: 'Sends a user without a password an invitation.' }],
    ['reset_password', { groups: ['base.group_system'], doc: 'Gives a user a link to choose a new password.' }],
  ]);
