import { activityField } from './activity/index.ts';
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
import { importMappingField } from './import-mapping/index.ts';
import { jsonField } from './json/index.ts';
import { languageField } from './language/index.ts';
import { many2manyField, one2manyField } from './lines/index.ts';
import { emailField, phoneField, urlField } from './link/index.ts';
import { many2oneField } from './many2one/index.ts';
import { monetaryField } from './monetary/index.ts';
import { decimalField, floatField, integerField } from './number/index.ts';
import { passwordField } from './password/index.ts';
import { many2oneAvatarField } from './person/index.ts';
import { priorityField } from './priority/index.ts';
import { percentageField, progressbarField } from './progress/index.ts';
import { radioField } from './radio/index.ts';
import { referenceField } from './reference/index.ts';
import { addField } from './registry.ts';
import { remainingDaysField } from './remaining-days/index.ts';
import { selectionField } from './selection/index.ts';
import { statusbarField } from './status/index.ts';
import { tagsField } from './tags/index.ts';
import { textareaField, textField } from './text/index.ts';
import { timezoneField } from './timezone/index.ts';
import { toggleField } from './toggle/index.ts';

/** Every widget the client ships, in one list. An addon's own come by `addFieldMaker`. */
const shipped: readonly FieldWidget[] = [
  activityField,
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
  importMappingField,
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

export function registerShippedFields(): void {
  for (const widget of shipped) addField(widget);
}
