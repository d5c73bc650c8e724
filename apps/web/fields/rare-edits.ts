/** Editors that few screens have, in one chunk: the first screen does without them. */
export { CheckboxesEdit } from './checkboxes/edit.tsx';
export { CodeEdit } from './code/edit.tsx';
export { ColourEdit } from './colour/edit.tsx';
export { JsonEdit } from './json/edit.tsx';
export { LanguageEdit } from './language/edit.tsx';
export { ReferenceEdit } from './reference/edit.tsx';
export { TimezoneEdit } from './timezone/edit.tsx';
