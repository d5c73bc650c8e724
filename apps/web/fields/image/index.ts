import { defineField } from '../define-field.ts';
import { ImageEdit, ImageRead } from './image.tsx';

export const imageField = defineField({
  name: 'image',
  types: ['image', 'binary'],
  Read: ImageRead,
  Edit: ImageEdit,
  toText: () => '',
  width: 60,
});
