import { defineAddon } from '@kontor/addon';
import { eventTask } from './models/event.ts';
import { taskMeetings } from './models/task.ts';

export default defineAddon({ models: [eventTask, taskMeetings] });
