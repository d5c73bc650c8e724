import { type ActionCall, type Env, UserError } from '@kontor/addon';

type Answer = 'yes' | 'maybe' | 'no';

/** The action with which an attendee answers; it needs no right to change the meeting. */
export function answerWith(answer: Answer, label: string, icon: string) {
  return {
    label,
    icon,
    needs: 'read',
    single: 'Choose one meeting.',
    run: async ({ env, records }: ActionCall<'calendar.event'>) => {
      const { id } = await records.only();
      await giveAnswer(env, id, answer);
    },
  } as const;
}

/**
 * Applies to the meeting and to later ones of its series that the user has not answered yet. As the server: it is the
 * caller's own line, and lines have the rules of their meeting.
 */
async function giveAnswer(env: Env, eventId: number, answer: Answer): Promise<void> {
  const server = env.sudo();
  const lines = server.model('calendar.person');
  const [own] = await lines.search([
    ['event_id', '=', eventId],
    ['user_id', '=', env.uid],
  ]);
  if (own === undefined) throw new UserError('You are not an attendee of this meeting.');
  const [event] = await server.model('calendar.event').read([eventId], ['series_id', 'occurs_on']);
  const later =
    event?.series_id && event.occurs_on
      ? await lines.search([
          ['event_id.series_id', '=', event.series_id],
          ['event_id.occurs_on', '>', event.occurs_on],
          ['user_id', '=', env.uid],
          ['answer', '=', 'asked'],
        ])
      : [];
  await lines.write([own, ...later], { answer });
}
