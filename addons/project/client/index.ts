import { defineClient } from '@kontor/client';
import { hoursBarField } from './hours-bar.tsx';
import { weekView } from './week/week-sheet.tsx';

export default defineClient({ fields: [hoursBarField], views: [weekView] });
