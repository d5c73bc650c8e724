import { defineAddon } from '@kontor/addon';
import { starterEntry } from './models/entry.ts';

export default defineAddon({
  models: [starterEntry],
  widgets: { starter_days: { types: ['date'], doc: 'How many days are left, in words.' } },
});
