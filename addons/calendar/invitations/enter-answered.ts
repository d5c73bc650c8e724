import type { Invitation } from '@addons/mail';
import type { Env } from '@kontor/addon';
import { rhythmIn } from './rhythm.ts';

type Place = 'mail.message' | 'mail.incoming';

/**
 * The meetings of answered invitations in the calendar of who answered: entered, changed, or removed when declined. As the server: the
 * meeting is the caller's own, and e-mails cannot be read as records.
 */
export async function enterAnswered(env: Env, model: Place, ids: readonly number[]): Promise<void> {
  const rows = await env.sudo().model(model).read(ids, ['invitation', 'invitation_answer', 'partner_id']);
  for (const { invitation: given, invitation_answer: answer, partner_id: contact } of rows) {
    const invitation = given as Invitation | null;
    if (invitation?.kind !== 'request' || answer === null) continue;
    const id = await enterMeeting(env, invitation, { isWanted: answer !== 'no', contact });
    if (id !== null && answer !== 'no') await keepAnswer(env, id, answer);
  }
}

interface Entering {
  readonly isWanted: boolean;
  /** The contact who invites. */
  readonly contact: number | null;
}

async function enterMeeting(env: Env, invitation: Invitation, { isWanted, contact }: Entering): Promise<number | null> {
  const events = env.sudo().model('calendar.event');
  const known = await events.searchRead(
    [
      ['invitation_uid', '=', invitation.uid],
      ['organiser_id', '=', env.uid],
      ...(invitation.recurrence === null ? [] : [['start', '=', invitation.start] as const]),
    ],
    ['series_id'],
    { order: 'start, id' },
  );
  const [first] = known;
  if (!isWanted) {
    await events.unlink(known.map(({ id }) => id));
    return null;
  }
  const { title, start, stop, allDay, place } = invitation;
  const values = { name: title || '…', start, stop, all_day: allDay, place: place || null };
  if (first) {
    // The meetings of a series keep their days: a change of the series comes as an invitation to each.
    await events.write([first.id], first.series_id === null ? values : { name: values.name, place: values.place });
    return first.id;
  }
  const id = await events.create({
    ...{ ...values, ...(invitation.tz ? { tz: invitation.tz } : {}) },
    ...{ organiser_id: env.uid, user_ids: [['set', [env.uid]]], partner_ids: contact ? [['set', [contact]]] : [] },
    ...{ invitation_uid: invitation.uid, invited_by: invitation.organiser?.address ?? null },
  });
  const rhythm = invitation.recurrence === null ? rhythmIn(invitation.repeats) : null;
  if (rhythm) await events.call([id], 'repeat', rhythm);
  return id;
}

async function keepAnswer(env: Env, eventId: number, answer: 'yes' | 'maybe'): Promise<void> {
  const lines = env.sudo().model('calendar.person');
  const [event] = await env.sudo().model('calendar.event').read([eventId], ['series_id']);
  const own = await lines.search([
    event?.series_id ? ['event_id.series_id', '=', event.series_id] : ['event_id', '=', eventId],
    ['user_id', '=', env.uid],
  ]);
  await lines.write(own, { answer });
}
