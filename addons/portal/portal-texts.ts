import { defineText } from '@kontor/addon';

const name = { label: 'Document', sample: 'S00042' } as const;

export const newLinkMail = defineText('portal.new_link', {
  label: 'New link for a customer',
  subject: 'Your new link',
  body: ['Here is the link that you asked for.'],
  button: 'Open',
  values: { name },
});

export const answerMail = defineText('portal.answer', {
  label: 'Answer to a customer',
  subject: 'Answer to {name}',
  body: ['{message}'],
  button: 'Open',
  values: { name, message: { label: 'Message', sample: 'We deliver on Friday.', needed: true } },
});

export const signInMail = defineText('portal.sign_in', {
  label: 'Link to sign in',
  subject: 'Sign in',
  body: ['With this link you sign in. It works once, for {minutes} minutes.'],
  button: 'Sign in',
  values: { minutes: { label: 'Minutes', type: 'number', sample: '30' } },
});

export const portalTexts = [newLinkMail, answerMail, signInMail];
