import { defineModel, type Env, type FieldsOf, fields, UserError } from '@kontor/addon';

const personFields = {
  event_id: fields.many2one('calendar.event', { label: 'Meeting', required: true, ondelete: 'cascade', index: true }),
  user_id: fields.many2one('core.user', { label: 'Colleague', readonly: true, ondelete: 'cascade', index: true }),
  partner_id: fields.many2one('core.partner', { label: 'Guest', readonly: true, ondelete: 'cascade', index: true }),
  name: fields.char({ computed: true }),
  answer: fields.selection(
    { asked: 'No answer yet', yes: 'Yes', maybe: 'Maybe', no: 'No' },
    { required: true, default: 'asked' },
  ),
  invited_at: fields.datetime({ label: 'Invited by e-mail', readonly: true, copy: false }),
};
export interface CalendarPerson extends FieldsOf<typeof personFields> {}
declare module '@kontor/addon' {
  interface Models {
    'calendar.person': CalendarPerson;
  }
}

/** An attendee of a meeting and their answer. There is one for each colleague and guest of the meeting. */
export const calendarPerson = defineModel('calendar.person', {
  label: 'Attendee',
  order: 'id',
  partOf: 'event_id',
  displayName: '{user_id.name}{partner_id.name}',
  fields: personFields,
  uniques: {
    colleague_once: { fields: ['event_id', 'user_id'] },
    guest_once: { fields: ['event_id', 'partner_id'] },
  },
  computes: {
    name: {
      depends: ['user_id.name', 'partner_id.name'],
      value: ({ user_id: user, partner_id: partner }) => user?.name ?? partner?.name ?? '',
    },
  },
  hooks: {
    on: ['answer'],
    async beforeWrite({ env, ids, values }) {
      await checkOwnAnswer(env, ids);
      return values;
    },
    afterWrite: ({ env, ids }) => noteDeclined(env, ids),
  },
});

/** Guests have no account: a colleague enters their answer. */
async function checkOwnAnswer(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return;
  const others = await env.model('calendar.person').count([
    ['id', 'in', ids],
    ['user_id', '!=', null],
    ['user_id', '!=', env.uid],
  ]);
  if (others > 0) throw new UserError('Colleagues answer for themselves.');
}

/** Who declined is kept with the meeting, so that calendars show it. As the server: an answer needs no right to change the meeting. */
async function noteDeclined(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const answered = await server.model('calendar.person').read(ids, ['event_id']);
  const events = [...new Set(answered.map(({ event_id: event }) => event))];
  const lines = await server.model('calendar.person').searchRead(
    [
      ['event_id', 'in', events],
      ['answer', '=', 'no'],
      ['user_id', '!=', null],
    ],
    ['event_id', 'user_id'],
  );
  for (const event of events) {
    const declined = lines.flatMap((line) => (line.event_id === event && line.user_id !== null ? [line.user_id] : []));
    await server.model('calendar.event').write([event], { declined_ids: [['set', declined]] });
  }
}
