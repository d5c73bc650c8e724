import { defineClient } from '@kontor/client';
import { daysField } from './days-field.tsx';

export default defineClient({ fields: [daysField] });
