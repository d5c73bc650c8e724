import { defineAddon } from '@kontor/addon';
import { benchLine } from './models/line.ts';
import { benchOrder } from './models/order.ts';

export default defineAddon({ models: [benchOrder, benchLine] });
