import { badgeField, statusbarField } from './badge.tsx';
import { booleanField, toggleField } from './boolean.tsx';
import { charField, copyField, passwordField } from './char.tsx';
import { dateField, datetimeField } from './date.tsx';
import type { FieldWidget } from './define-field.ts';
import { domainField } from './domain/index.tsx';
import { durationField } from './duration.tsx';
import { handleField } from './handle.tsx';
import { htmlField } from './html/index.tsx';
import { avatarField, imageField } from './image/index.tsx';
import { emailField, ibanField, phoneField, urlField } from './link.tsx';
import { many2oneAvatarField, many2oneField } from './many2one.tsx';
import { decimalField, floatField, integerField, monetaryField, percentageField, progressbarField } from './number.tsx';
import { priorityField } from './priority.tsx';
import {
  activityField,
  binaryField,
  checkboxesField,
  codeField,
  colourField,
  comparisonField,
  fileField,
  groupsField,
  importMappingField,
  jsonField,
  languageField,
  radioField,
  referenceField,
  timezoneField,
} from './rare-fields.tsx';
import { addField } from './registry.tsx';
import { remainingDaysField } from './remaining-days.tsx';
import { selectionField } from './selection.tsx';
import { textareaField, textField } from './text.tsx';
import { many2manyField, one2manyField, tagsField } from './to-many.tsx';

/** Every widget the client ships, in one list. Addons add theirs with `addFieldMaker`. */
const shipped: readonly FieldWidget[] = [
  activityField,
  avatarField,
  badgeField,
  booleanField,
  charField,
  checkboxesField,
  codeField,
  colourField,
  comparisonField,
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
  importMappingField,
  jsonField,
  many2manyField,
  one2manyField,
  emailField,
  phoneField,
  urlField,
  ibanField,
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

export function registerShippedFields(): void {
  for (const widget of shipped) addField(widget);
}
