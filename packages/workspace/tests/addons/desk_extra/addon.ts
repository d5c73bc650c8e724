import { defineAddon } from '@kontor/addon';
import { ticketSeverity } from './models/ticket.ts';

export default defineAddon({ models: [ticketSeverity] });
