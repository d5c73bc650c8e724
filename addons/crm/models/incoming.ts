import { createFromMail } from '@addons/mail';
import { type CallsOf, inheritModel } from '@kontor/addon';

declare module '@addons/mail' {
  interface MailIncomingCalls extends CallsOf<typeof incomingLead> {}
}

export const incomingLead = inheritModel('mail.incoming', {
  actions: { create_lead: createFromMail('crm.lead', 'Create a lead', 'target') },
});
