import { defineClient } from '@kontor/client';
import { hoursBarField } from './hours-bar.tsx';

export default defineClient({ fields: [hoursBarField] });
