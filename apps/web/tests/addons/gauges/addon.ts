import { defineAddon } from '@kontor/addon';
import { gaugesReading } from './models/reading.ts';

export default defineAddon({
  models: [gaugesReading],
  widgets: { dial: { types: ['integer'], doc: 'A number on a dial.' } },
  views: { tiles: { label: 'Tiles', icon: 'layout-grid' } },
});
