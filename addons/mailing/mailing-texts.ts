import { defineText } from '@kontor/addon';

/** Below every mailing, before the link. */
export const optOutText = defineText('mailing.opt_out', {
  label: 'Way to opt out of mailings',
  body: ['This mailing went to {email}.'],
  button: 'Unsubscribe',
  values: { email: { label: 'E-mail', sample: 'ines@hotel.example' } },
});
