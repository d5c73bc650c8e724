import { badgeField } from '../badge/index.ts';
import { defineField } from '../define-field.ts';

/** In the header of a form it is a bar of steps; elsewhere the present one as a badge. */
export const statusbarField = defineField({ ...badgeField, name: 'statusbar', types: ['selection', 'many2one'] });
