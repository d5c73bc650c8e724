export { Activities, useActivities } from '../fields/activity/activities.tsx';
export { colourValue, palette, paletteNames } from '../fields/colour.tsx';
export {
  defineField,
  type FieldEditProps,
  type FieldPlace,
  type FieldReadProps,
  type FieldWidget,
} from '../fields/define-field.ts';
export { readFile } from '../fields/file/file-content.ts';
export { MailBody, type MailBodyProps } from '../fields/html/mail-body.tsx';
export { sanitiseHtml } from '../fields/html/sanitise-html.ts';
export { pictureSource } from '../fields/image/picture-type.ts';
export { isPerson, Many2oneEdit } from '../fields/many2one.tsx';
export { readNumber } from '../fields/number.tsx';
export { bareText } from '../fields/plain.tsx';
export { ValueRead, valueText, widgetOf } from '../fields/registry.tsx';
export { formatHours, parseHours } from '../i18n/numbers.ts';
