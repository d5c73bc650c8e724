import { defineField } from '../define-field.ts';
import { ImportMappingRead } from './read.tsx';

/** What is to be done with a file, and doing it; no value to be typed, so the form around it has nothing to save. */
export const importMappingField = defineField({
  name: 'import_mapping',
  types: ['json'],
  Read: ImportMappingRead,
  Edit: null,
  toText: () => '',
});
