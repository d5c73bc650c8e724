import type { Invitation } from '@addons/mail';
import { type Env, text, wordsFor } from '@kontor/addon';
import { uidOf } from '../feed/icalendar.ts';

/**
 * A meeting that its organiser cancels stays, with a name that says so and as declined: an e-mail of a stranger deletes nothing. As the
 * server: e-mails act for nobody; only the address that invited cancels.
 */
export async function followOrganisers(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const rows = await server.model('mail.incoming').read(ids, ['invitation', 'sender_email']);
  for (const { invitation: given, sender_email: sender } of rows) {
    const invitation = given as Invitation | null;
    if (invitation?.kind !== 'cancel' || sender === null) continue;
    const meetings = await server
      .model('calendar.event')
      .searchRead(
        [
          ['invitation_uid', '=', invitation.uid],
          ['invited_by', '=', sender],
          ...(invitation.recurrence === null ? [] : [['start', '=', invitation.start] as const]),
        ],
        ['name', 'organiser_id'],
        { limit: 1_000 },
      );
    for (const { id, name, organiser_id: owner } of meetings) {
      const cancelled = (await wordsFor(env, owner, 'calendar')).say(text('Cancelled:'));
      if (!name.startsWith(cancelled))
        await server.model('calendar.event').write([id], { name: `${cancelled} ${name}`.slice(0, 200) });
      const lines = await server.model('calendar.person').search([
        ['event_id', '=', id],
        ['user_id', '=', owner],
      ]);
      await server.model('calendar.person').write(lines, { answer: 'no' });
    }
  }
}

/**
 * What guests answer to our invitations, which their calendar sends to the reply address of the meeting. As the server: guests have no
 * account. Only the guest's own address answers for the guest.
 */
export async function noteGuestAnswers(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const rows = await server.model('mail.incoming').read(ids, ['invitation', 'sender_email', 'model', 'res_id']);
  for (const { invitation: given, sender_email: sender, model, res_id: event } of rows) {
    const invitation = given as Invitation | null;
    if (invitation?.kind !== 'reply' || model !== 'calendar.event' || event === null) continue;
    const said = invitation.attendees.find(({ address }) => address === sender)?.answer ?? null;
    if (said === null || invitation.uid !== uidOf(event)) continue;
    const lines = await server.model('calendar.person').searchRead(
      [
        ['event_id', '=', event],
        ['partner_id', '!=', null],
      ],
      ['partner_id.email'],
    );
    const own = lines.filter((line) => line['partner_id.email']?.trim().toLowerCase() === sender);
    await server.model('calendar.person').write(
      own.map(({ id }) => id),
      { answer: said },
    );
  }
}
