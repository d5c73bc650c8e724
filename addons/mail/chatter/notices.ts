import { type NoticeSpec, text } from '@kontor/addon';

/** Notifications; each user chooses in the profile how to receive them. */
export const mentioned: NoticeSpec = {
  name: 'mail.mention',
  label: text('Someone mentions you'),
  usual: 'both',
  isUrgent: true,
};
export const followed: NoticeSpec = {
  name: 'mail.followed',
  label: text('Something happens on a record you follow'),
  usual: 'client',
};
export const added: NoticeSpec = {
  name: 'mail.added',
  label: text('Someone adds you as a follower'),
  usual: 'client',
};
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
