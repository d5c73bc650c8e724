import { defineField } from '../define-field.ts';
import { imageField } from '../image/index.ts';
import { AvatarRead } from './read.tsx';

export const avatarField = defineField({ ...imageField, name: 'avatar', Read: AvatarRead });
