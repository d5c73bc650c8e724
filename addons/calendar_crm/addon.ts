import { defineAddon } from '@kontor/addon';
import { eventLead } from './models/event.ts';
import { leadMeetings } from './models/lead.ts';

export default defineAddon({ models: [eventLead, leadMeetings] });
