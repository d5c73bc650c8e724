import { defineField } from '../define-field.ts';
import { rareEdit } from '../rare-edit.tsx';
import { ReferenceRead, referenceText } from './read.tsx';

export const referenceField = defineField({
  name: 'reference',
  types: ['reference'],
  Read: ReferenceRead,
  Edit: rareEdit('ReferenceEdit'),
  toText: referenceText,
  width: 200,
});
