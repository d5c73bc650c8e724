import {
  canMail,
  checkRight,
  type Env,
  KontorError,
  ownSender,
  queueMail,
  text,
  textMail,
  UserError,
} from '@kontor/addon';
import { publishPosted } from '../chatter/post-message.ts';
import { checkMayComment, checkThread, isAllowed, threadDetails } from '../chatter/thread.ts';
import { answerCalendar } from './answer-calendar.ts';
import { invitationAnswers } from './answer-texts.ts';
import type { CalendarPerson, Invitation, InvitationAnswer } from './read-invitation.ts';
import { whenText } from './when-text.ts';

/** An e-mail on a record, or one that waits unsorted. */
export interface InvitationPlace {
  readonly model: 'mail.message' | 'mail.incoming';
  readonly id: number;
}

const placeFields = ['model', 'res_id', 'invitation', 'invitation_answer'] as const;

/**
 * Answers an invitation for whom it was sent to, and tells its organiser. Another answer replaces it; the same one again sends nothing.
 * Apps follow the field `invitation_answer`: the calendar enters the meeting.
 */
export async function answerInvitation(env: Env, place: InvitationPlace, answer: InvitationAnswer): Promise<void> {
  const { invitation, companyId, thread } = await openInvitation(env, place);
  const { organiser } = invitation;
  if (invitation.kind !== 'request' || !organiser) throw notFound();
  if (!(await canMail(env))) throw new UserError('No mail server is set up.');
  const server = env.sudo();
  const known = server.model(place.model);
  // The row is locked by the write, so that the same answer given twice at once is sent once.
  await known.write([place.id], { answered_at: env.now.toISOString() });
  const [now] = await known.read([place.id], ['invitation_answer']);
  if (now?.invitation_answer === answer) return;
  const attendee = await attendeeOf(env, invitation, companyId);
  const lang = env.actor.lang;
  const [me] = await server.model('core.user').read([env.uid], ['tz']);
  const title = invitation.title || '…';
  const when = whenText(
    { start: invitation.start, stop: invitation.stop, all_day: invitation.allDay },
    lang,
    me?.tz ?? 'UTC',
  );
  const content = Buffer.from(answerCalendar(invitation, answer, attendee, env.now));
  const own = await ownSender(env, env.uid);
  const mail = await textMail(env, invitationAnswers[answer], {
    ...{ to: organiser.address, lang, companyId, isFramed: true, replyTo: attendee.address },
    values: { name: attendee.name, title, when },
    attachments: [{ filename: 'answer.ics', contentType: 'text/calendar', content, calendarMethod: 'REPLY' }],
  });
  await queueMail(env, {
    ...mail,
    ...(own?.address.toLowerCase() === attendee.address ? { from: own } : {}),
  });
  await known.write([place.id], { invitation_answer: answer, answered_id: env.uid });
  if (thread) await publishPosted(env, await threadDetails(env, thread), place.id);
}

/** As the server: messages cannot be read as records. Who may comment on the record answers, and for unsorted e-mail who files it. */
async function openInvitation(env: Env, place: InvitationPlace) {
  if (!env.actor.groups.has('base.group_user'))
    throw new KontorError('ACCESS_DENIED', text('Only users may send e-mail.'));
  const server = env.sudo();
  const [row] = await server.model(place.model).searchRead([['id', '=', place.id]], placeFields);
  const thread =
    place.model === 'mail.message' && row?.model && row.res_id ? { model: row.model, id: row.res_id } : null;
  if (place.model === 'mail.incoming') await checkRight(env, place.model, [place.id], 'write');
  else if (thread) {
    // Guessing ids of messages reveals neither that there is one nor what it is about.
    if (!(await isAllowed(checkThread(env, thread)))) throw notFound();
    await checkMayComment(env, thread);
  }
  const invitation = (row?.invitation ?? null) as Invitation | null;
  if (!invitation) throw notFound();
  const companyId = thread
    ? (await threadDetails(env, thread)).companyId
    : ((await server.model('mail.incoming').read([place.id], ['company_id']))[0]?.company_id ?? null);
  return { invitation, thread, companyId: companyId ?? env.actor.companyId };
}

/** Who answers: the caller if invited, otherwise the mailbox that was; the organiser's calendar knows attendees by address. */
async function attendeeOf(env: Env, { attendees }: Invitation, companyId: number | null): Promise<CalendarPerson> {
  const server = env.sudo();
  const [me] = await server.model('core.user').read([env.uid], ['name', 'email']);
  const own = me?.email?.toLowerCase() ?? '';
  if (own !== '' && attendees.some(({ address }) => address === own)) return { name: me?.name ?? own, address: own };
  const boxes = await server
    .model('mail.mailbox')
    .searchRead(
      [['active', '=', true], ...(companyId === null ? [] : [['company_id', '=', companyId] as const])],
      ['address', 'name'],
      { order: 'id', limit: 200 },
    );
  const plain = (address: string) => address.replace(/\+[^@]*@/, '@');
  const domains = new Set(boxes.map(({ address }) => address.split('@')[1]));
  const invited =
    attendees.find(({ address }) => boxes.some((box) => box.address === plain(address))) ??
    attendees.find(({ address }) => domains.has(address.split('@')[1]));
  if (invited) return { name: me?.name ?? invited.name, address: invited.address };
  const address = own || boxes[0]?.address;
  if (!address) throw new UserError('Enter your e-mail address in your profile first.');
  return { name: me?.name ?? address, address };
}

function notFound(): KontorError {
  return new KontorError('NOT_FOUND', text('There is no invitation to answer.'));
}
