import { defineField } from '../define-field.ts';
import { FileEdit, FileRead, fileText } from './file.tsx';

export const fileField = defineField({
  name: 'file',
  types: ['binary', 'image'],
  Read: FileRead,
  Edit: FileEdit,
  toText: fileText,
  width: 160,
});

export const binaryField = defineField({ ...fileField, name: 'binary' });
