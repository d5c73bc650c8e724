import { t } from '../../i18n/messages.ts';
import { defineField } from '../define-field.ts';
import { BooleanEdit } from './edit.tsx';
import { BooleanRead } from './read.tsx';

export const booleanField = defineField({
  name: 'boolean',
  types: ['boolean'],
  Read: BooleanRead,
  Edit: BooleanEdit,
  toText: ({ value }) => (value === true ? t('Yes') : t('No')),
  width: 80,
});
