import { replyAddress, whenText } from '@addons/mail';
import {
  type ActionCall,
  canMail,
  type Env,
  fields,
  mailSetupLink,
  notify,
  queueMail,
  type Text,
  text,
  textMail,
  UserError,
  wordsIn,
} from '@kontor/addon';
import { calendarText, feedFields, type Meeting } from '../feed/icalendar.ts';
import { meetingInvitation } from './meeting-texts.ts';

export const inviteAsks = {
  notice: fields.html({ label: 'No mail server', readonly: true }),
  mailed: fields.text({ label: 'Will be mailed', readonly: true }),
  not_mailed: fields.text({ label: 'Will not be mailed', readonly: true }),
};
type Call = ActionCall<'calendar.event', typeof inviteAsks>;

/** Who gets a mail and who does not, before it is sent. */
export async function proposeGuests({ env, records }: Pick<Call, 'env' | 'records'>) {
  const { id } = await records.only();
  const { say } = wordsIn(env, env.actor.lang, 'calendar');
  const lines = await env.model('calendar.person').searchRead(
    [
      ['event_id', '=', id],
      ['partner_id', '!=', null],
    ],
    ['name', 'partner_id.email', 'invited_at'],
  );
  const hasMail = await canMail(env);
  const setUp = hasMail ? '' : mailSetupLink(env);
  const mailed = lines.filter((line) => hasMail && line['partner_id.email'] && line.invited_at === null);
  const others = lines.filter((line) => !mailed.includes(line));
  const reason = (line: (typeof lines)[number]) => {
    if (line.invited_at !== null) return say(text('{name}: invited already', { name: line.name }));
    if (!line['partner_id.email']) return say(text('{name}: no e-mail address', { name: line.name }));
    return say(text('{name}: no mail server is set up', { name: line.name }));
  };
  return {
    value: {
      notice: setUp === '' ? null : `<p>${setUp}</p>`,
      mailed: mailed.map((line) => `${line.name} <${line['partner_id.email']}>`).join('\n') || say('Nobody'),
      not_mailed: others.map(reason).join('\n') || null,
    },
  };
}

/** Asks guests by e-mail who were not asked yet, with the meeting as a file for their calendar; a series as a whole. */
export async function inviteGuests({ env, records }: Call): Promise<void> {
  const event = await records.only(
    'name',
    'start',
    'stop',
    'all_day',
    'tz',
    'place',
    'video_url',
    'organiser_id.name',
    'organiser_id.email',
    'organiser_id.signature',
    'series_id.id',
    'occurs_on',
    'organiser_id.company_id.id',
  );
  const guests = await unaskedGuests(env, event.id);
  if (guests.length === 0) throw new UserError('Every guest with an e-mail address has already been invited.');
  const series = event.series_id;
  const from =
    series && event.occurs_on
      ? ([
          ['series_id', '=', series.id],
          ['occurs_on', '>=', event.occurs_on],
        ] as const)
      : ([['id', '=', event.id]] as const);
  const meetings = await env.model('calendar.event').searchRead([...from], feedFields, { order: 'start' });
  const answersTo = await replyAddress(env, {
    ...{ model: 'calendar.event', id: event.id, companyId: event.organiser_id.company_id.id },
  });
  for (const guest of guests) await inviteGuest(env, { event, guest, meetings, answersTo });
  await markInvited(
    env,
    guests.map((guest) => guest.partnerId),
    meetings.map((meeting) => meeting.id),
  );
  const emails = guests.map((guest) => guest.email).join(', ');
  await tellDone(env, text('{name}: {emails}', { name: event.name, emails }));
}

interface Inviting {
  readonly event: Parameters<typeof whenText>[0] & {
    readonly name: string;
    readonly tz: string;
    readonly place: string | null;
    readonly video_url: string | null;
    readonly organiser_id: {
      readonly name: string;
      readonly email: string | null;
      readonly signature: string | null;
      readonly company_id: { readonly id: number };
    };
  };
  readonly guest: Awaited<ReturnType<typeof unaskedGuests>>[number];
  readonly meetings: readonly Meeting[];
  /** The signed reply address of the meeting. */
  readonly answersTo: string | null;
}

async function inviteGuest(env: Env, { event, guest, meetings, answersTo }: Inviting): Promise<void> {
  const { name: organiser, email, signature, company_id: company } = event.organiser_id;
  const { lang } = guest;
  // A calendar program answers a file of several meetings by none.
  const asked =
    answersTo !== null && meetings.length === 1
      ? {
          organiser: { name: organiser, address: answersTo },
          guest: { name: guest.name, address: guest.email.trim().toLowerCase() },
        }
      : null;
  const content = Buffer.from(calendarText(event.name, meetings, env.now, asked));
  const replyTo = answersTo ?? email;
  const mail = await textMail(env, meetingInvitation, {
    ...{ to: guest.email, lang, companyId: company.id, isFramed: true, signature },
    values: {
      ...{ organiser, name: event.name, place: event.place, video: event.video_url },
      when: whenText(event, lang, event.tz),
    },
    ...(replyTo && { replyTo }),
    attachments: [
      {
        ...{ filename: 'invitation.ics', contentType: 'text/calendar; charset=utf-8', content },
        ...(asked && { calendarMethod: 'REQUEST' as const }),
      },
    ],
  });
  if (!(await queueMail(env, mail))) throw new UserError('E-mail is not set up, so guests cannot be invited.');
}

/** Mails leave nothing on the screen of who sends them. */
async function tellDone(env: Env, body: Text): Promise<void> {
  const { say } = wordsIn(env, env.actor.lang, 'calendar');
  await notify(env, env.uid, { kind: 'success', title: say('Invitations sent'), body: say(body) });
}

async function unaskedGuests(env: Env, eventId: number) {
  const lines = await env.model('calendar.person').searchRead(
    [
      ['event_id', '=', eventId],
      ['partner_id.email', '!=', null],
      ['invited_at', '=', null],
    ],
    ['name', 'partner_id', 'partner_id.email', 'partner_id.lang'],
  );
  return lines.flatMap(({ name, partner_id: partnerId, 'partner_id.email': email, 'partner_id.lang': lang }) =>
    partnerId !== null && email ? { name, partnerId, email, lang: lang ?? 'en_US' } : [],
  );
}

/** As the server: the time of an invitation cannot be set by hand. */
async function markInvited(env: Env, partners: readonly number[], events: readonly number[]): Promise<void> {
  const lines = env.sudo().model('calendar.person');
  const ids = await lines.search([
    ['event_id', 'in', events],
    ['partner_id', 'in', partners],
  ]);
  await lines.write(ids, { invited_at: env.now.toISOString() });
}
