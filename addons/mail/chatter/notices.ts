import { type NoticeSpec, text } from '@kontor/addon';

/** What people are told of here; each chooses how in the profile. */
export const mentioned: NoticeSpec = { name: 'mail.mention', label: text('Somebody mentions you'), usual: 'both' };
export const assigned: NoticeSpec = {
  name: 'mail.activity',
  label: text('Somebody gives you something to do'),
  usual: 'both',
};
export const handedOver: NoticeSpec = {
  name: 'mail.hand_over',
  label: text('Somebody hands a record over to you'),
  usual: 'client',
};
