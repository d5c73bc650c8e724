import { lazyComponent } from '../../state/lazy.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from '../define-field.ts';
import { fileText } from './file-text.ts';

const { Component: Read } = lazyComponent<FieldReadProps>(async () => (await import('./file.tsx')).FileRead);
const { Component: Edit } = lazyComponent<FieldEditProps>(async () => (await import('./file.tsx')).FileEdit);

export const fileField = defineField({
  name: 'file',
  types: ['binary', 'image'],
  Read,
  Edit,
  toText: fileText,
  width: 160,
});

export const binaryField = defineField({ ...fileField, name: 'binary' });
