import { defineField } from '../define-field.ts';
import { PlainRead, plainText } from './read.tsx';

/** For types that have no widget yet: the value as text, never edited. */
export const plainField = defineField({ name: 'plain', types: [], Read: PlainRead, Edit: null, toText: plainText });
