import { defineText } from '@kontor/orm/author';

export const invitationText = defineText('base.invitation', {
  label: 'Invitation of a user',
  subject: '{company} invites you to Kontor',
  body: ['Hello {name},', '{company} has created an account for you on Kontor. Your login is {login}.'],
  button: 'Choose a password',
  note: 'The link works once, for {days} days.',
  values: {
    name: { label: 'Name', sample: 'Ingrid Solberg' },
    login: { label: 'Login', sample: 'ingrid@example.com', needed: true },
    company: { label: 'Company', sample: 'Nordlicht' },
    days: { label: 'Days that the link works', type: 'number', sample: '7' },
  },
});

export const resetText = defineText('base.password_reset', {
  label: 'Link for a new password',
  subject: 'Choose a new password for Kontor',
  body: ['Someone, hopefully you, requested a new password. The link is valid for one hour.'],
  button: 'Choose a new password',
  note: 'If this was not you, ignore this e-mail: nothing has changed.',
  values: { name: { label: 'Name', sample: 'Ingrid Solberg' }, company: { label: 'Company', sample: 'Nordlicht' } },
});

/** The mail of a notification. What happened is said by the addon that sends it, in the client and by mail. */
export const noticeText = defineText('base.notification', {
  label: 'Notification by e-mail',
  subject: '{title}',
  body: ['{message}'],
  button: 'Open {record}',
  values: {
    title: { label: 'What happened', sample: 'Aiko Tanaka mentioned you: S00042', needed: true },
    message: { label: 'Message', sample: 'Aiko Tanaka mentioned you in a discussion.', needed: true },
    record: { label: 'Record', sample: 'S00042', optional: true },
  },
});
