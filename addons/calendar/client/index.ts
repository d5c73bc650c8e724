import { defineClient } from '@kontor/client';
import { addressView } from './address.tsx';
import { weekdaysField } from './weekdays.tsx';

export default defineClient({ fields: [weekdaysField], views: [addressView] });
