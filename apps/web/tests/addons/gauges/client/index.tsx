import { defineClient } from '@kontor/client';
import { dialField } from './dial.tsx';
import { tilesView } from './tiles.tsx';

export default defineClient({ fields: [dialField], views: [tilesView] });
