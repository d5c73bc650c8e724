import { createFromMail } from '@addons/mail';
import { type CallsOf, inheritModel } from '@kontor/addon';

declare module '@addons/mail' {
  interface MailIncomingCalls extends CallsOf<typeof incomingTask> {}
}

export const incomingTask = inheritModel('mail.incoming', {
  actions: { create_task: createFromMail('project.task', 'Create a task', 'list-checks') },
});
