import { defineField } from '../define-field.ts';
import { many2oneField } from '../many2one/index.ts';

export const many2oneAvatarField = defineField({ ...many2oneField, name: 'many2one_avatar' });
