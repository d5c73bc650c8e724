import { defineField } from '../define-field.ts';
import { DomainEdit } from './edit.tsx';
import { DomainRead, domainText } from './read.tsx';

export const domainField = defineField({
  name: 'domain',
  types: ['json', 'char', 'text'],
  Read: DomainRead,
  Edit: DomainEdit,
  toText: domainText,
  width: 240,
});
