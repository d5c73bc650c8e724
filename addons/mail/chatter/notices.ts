import { type NoticeSpec, text } from '@kontor/addon';

/** What people are told of here; each chooses how in the profile. */
export const mentioned: NoticeSpec = { name: 'mail.mention', label: text('Someone mentions you'), usual: 'both' };
export const assigned: NoticeSpec = {
  name: 'mail.activity',
  label: text('Someone assigns an activity to you'),
  usual: 'both',
};
export const handedOver: NoticeSpec = {
  name: 'mail.hand_over',
  label: text('Someone hands a record over to you'),
  usual: 'client',
};
