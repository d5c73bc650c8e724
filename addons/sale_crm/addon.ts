import { defineAddon } from '@kontor/addon';
import { leadQuotations } from './models/lead.ts';
import { orderLead } from './models/order.ts';

export default defineAddon({ models: [leadQuotations, orderLead] });
