import type { ArchField } from '@kontor/protocol';
import { createRegistry } from '../data/registry.ts';
import { badgeField } from './badge/index.ts';
import { booleanField } from './boolean/index.ts';
import { charField } from './char/index.ts';
import { colourField } from './colour/index.ts';
import { dateField } from './date/index.ts';
import { datetimeField } from './datetime/index.ts';
import type { FieldWidget } from './define-field.ts';
import { handleField } from './handle/index.ts';
import { jsonField } from './json/index.ts';
import { emailField, phoneField, urlField } from './link/index.ts';
import { many2oneField } from './many2one/index.ts';
import { monetaryField } from './monetary/index.ts';
import { decimalField, floatField, integerField } from './number/index.ts';
import { plainField } from './plain/index.ts';
import { priorityField } from './priority/index.ts';
import { percentageField, progressbarField } from './progress/index.ts';
import { radioField } from './radio/index.ts';
import { remainingDaysField } from './remaining-days/index.ts';
import { selectionField } from './selection/index.ts';
import { textField } from './text/index.ts';
import { toggleField } from './toggle/index.ts';

/** Every widget the client ships, in one list. An addon's own come by `addField`. */
const shipped: readonly FieldWidget[] = [
  badgeField,
  booleanField,
  charField,
  dateField,
  datetimeField,
  decimalField,
  floatField,
  integerField,
  many2oneField,
  monetaryField,
  selectionField,
  textField,
  colourField,
  handleField,
  jsonField,
  emailField,
  phoneField,
  urlField,
  priorityField,
  percentageField,
  progressbarField,
  radioField,
  remainingDaysField,
  toggleField,
];

const widgets = createRegistry<FieldWidget>('field widget');

export function registerShippedFields(): void {
  for (const widget of shipped) addField(widget);
}

export function addField(widget: FieldWidget): void {
  widgets.add(widget.name, widget);
}

/** The widget that a view names, else the one of the field's type. */
export function widgetOf(field: ArchField, named?: string): FieldWidget {
  if (named === undefined) return widgets.has(field.type) ? widgets.get(field.type) : plainField;
  const widget = widgets.get(named);
  if (widget.types.includes(field.type)) return widget;
  throw new Error(`The widget "${named}" draws ${widget.types.join(', ')}, but "${field.name}" is ${field.type}.`);
}
