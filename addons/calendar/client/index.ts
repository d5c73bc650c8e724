import { defineClient } from '@kontor/client';
import { addressView } from './address.tsx';
import { meetingTimeField } from './meeting-time.tsx';
import { weekdaysField } from './weekdays.tsx';

export default defineClient({ fields: [meetingTimeField, weekdaysField], views: [addressView] });
