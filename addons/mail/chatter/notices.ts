import { type NoticeSpec, text } from '@kontor/addon';

/** Notifications; each user chooses in the profile how to receive them. */
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
