import { KontorError, type RouteRequest, type RouteSpec } from '@kontor/addon';
import { idIn, postFields, textIn } from '../chatter/route-fields.ts';
import { answerInvitation } from './answer-invitation.ts';

const answers = ['yes', 'maybe', 'no'] as const;

/** Invitations in e-mails. */
export const invitationRoutes: readonly RouteSpec[] = [
  { method: 'POST', path: '/web/mail/invitation', auth: 'session', handler: answer },
];

async function answer(request: RouteRequest) {
  const fields = postFields(request);
  const given = answers.find((each) => each === textIn(fields, 'answer'));
  if (!given) throw new KontorError('INVALID_ARGS', 'answer is yes, maybe or no.', { field: 'answer' });
  const place =
    fields.incoming === undefined
      ? { model: 'mail.message' as const, id: idIn(fields, 'message') }
      : { model: 'mail.incoming' as const, id: idIn(fields, 'incoming') };
  await answerInvitation(request.env, place, given);
  return { body: { ok: true, result: null, error: null } };
}
