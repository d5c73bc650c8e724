import { defineAddon } from '@kontor/addon';
import { benchLine } from './models/line.ts';
import { benchOrder } from './models/order.ts';
import { benchNarrow, benchWide } from './models/wide.ts';

export default defineAddon({ models: [benchOrder, benchLine, benchWide, benchNarrow] });
