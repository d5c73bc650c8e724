import { defineField } from '../define-field.ts';
import { ReferenceEdit } from './edit.tsx';
import { ReferenceRead, referenceText } from './read.tsx';

export const referenceField = defineField({
  name: 'reference',
  types: ['reference'],
  Read: ReferenceRead,
  Edit: ReferenceEdit,
  toText: referenceText,
  width: 200,
});
