import type { ArchField } from '@kontor/protocol';
import { createRegistry } from '../data/registry.ts';
import { avatarField } from './avatar/index.ts';
import { badgeField } from './badge/index.ts';
import { booleanField } from './boolean/index.ts';
import { charField } from './char/index.ts';
import { checkboxesField } from './checkboxes/index.ts';
import { codeField } from './code/index.ts';
import { colourField } from './colour/index.ts';
import { copyField } from './copy/index.ts';
import { dateField } from './date/index.ts';
import { datetimeField } from './datetime/index.ts';
import type { FieldWidget } from './define-field.ts';
import { domainField } from './domain/index.ts';
import { durationField } from './duration/index.ts';
import { binaryField, fileField } from './file/index.ts';
import { groupsField } from './groups/index.ts';
import { handleField } from './handle/index.ts';
import { htmlField } from './html/index.ts';
import { imageField } from './image/index.ts';
import { jsonField } from './json/index.ts';
import { languageField } from './language/index.ts';
import { many2manyField, one2manyField } from './lines/index.ts';
import { emailField, phoneField, urlField } from './link/index.ts';
import { many2oneField } from './many2one/index.ts';
import { monetaryField } from './monetary/index.ts';
import { decimalField, floatField, integerField } from './number/index.ts';
import { passwordField } from './password/index.ts';
import { many2oneAvatarField } from './person/index.ts';
import { plainField } from './plain/index.ts';
import { priorityField } from './priority/index.ts';
import { percentageField, progressbarField } from './progress/index.ts';
import { radioField } from './radio/index.ts';
import { referenceField } from './reference/index.ts';
import { remainingDaysField } from './remaining-days/index.ts';
import { selectionField } from './selection/index.ts';
import { statusbarField } from './status/index.ts';
import { tagsField } from './tags/index.ts';
import { textareaField, textField } from './text/index.ts';
import { timezoneField } from './timezone/index.ts';
import { toggleField } from './toggle/index.ts';

/** Every widget the client ships, in one list. An addon's own come by `addFieldMaker`. */
const shipped: readonly FieldWidget[] = [
  avatarField,
  badgeField,
  booleanField,
  charField,
  checkboxesField,
  codeField,
  colourField,
  copyField,
  dateField,
  datetimeField,
  domainField,
  durationField,
  binaryField,
  fileField,
  groupsField,
  handleField,
  languageField,
  htmlField,
  imageField,
  jsonField,
  many2manyField,
  one2manyField,
  emailField,
  phoneField,
  urlField,
  many2oneField,
  monetaryField,
  decimalField,
  floatField,
  integerField,
  passwordField,
  many2oneAvatarField,
  priorityField,
  percentageField,
  progressbarField,
  radioField,
  referenceField,
  remainingDaysField,
  selectionField,
  statusbarField,
  tagsField,
  textareaField,
  textField,
  timezoneField,
  toggleField,
];

type Maker = (field: ArchField) => FieldWidget;

const widgets = createRegistry<Maker>('field widget');

export function registerShippedFields(): void {
  for (const widget of shipped) widgets.add(widget.name, checked(widget));
}

/** A widget that an addon brings, by the name that views give it. */
export function addFieldMaker(name: string, maker: Maker): void {
  if (gone.delete(name)) widgets.remove(name);
  widgets.add(name, maker);
}

const gone = new Set<string>();

/** Its module is gone; a screen that is still open draws the fields as any other. */
export function dropField(name: string): void {
  widgets.remove(name);
  widgets.add(name, (field) => widgetOf(field));
  gone.add(name);
}

/** The widget that a view names, else the one of the field's type. */
export function widgetOf(field: ArchField, named?: string): FieldWidget {
  if (named !== undefined) return widgets.get(named)(field);
  return widgets.has(field.type) ? widgets.get(field.type)(field) : plainField;
}

function checked(widget: FieldWidget): Maker {
  return ({ name, type }) => {
    if (widget.types.includes(type)) return widget;
    throw new Error(`The widget "${widget.name}" draws ${widget.types.join(', ')}, but "${name}" is ${type}.`);
  };
}
