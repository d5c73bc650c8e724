import { defineAddon } from '@kontor/addon';
import { deskStage, deskTag, deskTicket } from './models/ticket.ts';

export default defineAddon({
  models: [deskStage, deskTag, deskTicket],
  automations: [
    {
      name: 'Tell of bugs',
      model: 'desk.ticket',
      on: 'create',
      domain: [['kind', '=', 'bug']],
      run: 'publish:desk.bug',
    },
  ],
});
