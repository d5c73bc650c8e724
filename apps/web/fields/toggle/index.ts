import { booleanField } from '../boolean/index.ts';
import { defineField } from '../define-field.ts';
import { ToggleEdit } from './edit.tsx';

export const toggleField = defineField({ ...booleanField, name: 'toggle', Edit: ToggleEdit, isDirect: true });
