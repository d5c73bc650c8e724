import '@addons/mail';
import { inheritModel } from '@kontor/addon';
import { enterAnswered } from '../invitations/enter-answered.ts';
import { followOrganisers, noteGuestAnswers } from '../invitations/follow-invitations.ts';

/** Who answers an invitation in an e-mail on a record has the meeting in the calendar. */
export const messageInvitations = inheritModel('mail.message', {
  hooks: {
    on: ['invitation_answer'],
    afterWrite: ({ env, ids }) => enterAnswered(env, 'mail.message', ids),
  },
});

/** The same for e-mails that wait unsorted. What organisers and guests say later changes meetings that are there. */
export const incomingInvitations = inheritModel('mail.incoming', {
  hooks: {
    on: ['invitation', 'invitation_answer', 'res_id'],
    async afterWrite({ env, ids, values }) {
      if ('invitation_answer' in values) await enterAnswered(env, 'mail.incoming', ids);
      if (values.invitation) await followOrganisers(env, ids);
      if (values.res_id) await noteGuestAnswers(env, ids);
    },
  },
});
