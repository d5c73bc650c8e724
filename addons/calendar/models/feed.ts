import { type CallsOf, currentUser, defineModel, type FieldsOf, fields } from '@kontor/addon';
import { renewAddress } from '../feed/address.ts';

const feedFields = {
  user_id: fields.many2one('core.user', {
    label: 'Person',
    required: true,
    unique: true,
    readonly: true,
    default: currentUser,
    ondelete: 'cascade',
  }),
  secret_hash: fields.char({ secret: true, readonly: true, unique: true, size: 64, copy: false }),
  renewed_at: fields.datetime({ label: 'Address since', readonly: true, copy: false }),
};
export interface CalendarFeed extends FieldsOf<typeof feedFields> {}
export interface CalendarFeedCalls extends CallsOf<typeof calendarFeed> {}
declare module '@kontor/addon' {
  interface Models {
    'calendar.feed': CalendarFeed;
  }
  interface Calls {
    'calendar.feed': CalendarFeedCalls;
  }
}

/**
 * The address at which another calendar reads a user's meetings. Anyone who has it can see them, so it can be renewed
 * and revoked.
 */
export const calendarFeed = defineModel('calendar.feed', {
  label: 'Calendar address',
  noCompany: 'An address belongs to one person.',
  ownRules: 'People make and revoke their own address, though they may not change users.',
  order: 'id',
  displayName: '{user_id.name}',
  quiet: true,
  fields: feedFields,
  actions: {
    /** Redirects to the new address, which is shown only once; the previous one is revoked. */
    renew: {
      label: 'New address',
      icon: 'refresh-cw',
      needs: 'read',
      single: 'Choose one address.',
      run: renewAddress,
    },
  },
});
