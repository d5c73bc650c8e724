import { anyModel, dateIn, type Env, fromLocal } from '@kontor/addon';
import { timesOn } from '../series/make-occurrences.ts';
import { firstDay } from '../series/times.ts';

/** The date of a meeting is the due date of its activity. As the server: the activities of others follow as well. */
export async function followMeetings(env: Env, eventIds: readonly number[]): Promise<void> {
  const server = env.sudo();
  const activities = await server.model('mail.activity').searchRead(
    [
      ['event_id', 'in', eventIds],
      ['done', '=', false],
    ],
    ['due_date', 'event_id.start', 'event_id.all_day', 'event_id.tz'],
  );
  for (const row of activities) {
    const { id, due_date: due, 'event_id.start': start, 'event_id.tz': tz } = row;
    const day = start && tz ? firstDay({ start, tz, all_day: row['event_id.all_day'] === true }) : due;
    if (day !== due) await server.model('mail.activity').write([id], { due_date: day });
  }
}

/** A meeting moves to the due date of its activity, at the same time. As the server, whoever has the activity by now. */
export async function followActivities(env: Env, activityIds: readonly number[]): Promise<void> {
  const server = env.sudo();
  const activities = await server.model('mail.activity').searchRead(
    [
      ['id', 'in', activityIds],
      ['event_id', '!=', null],
    ],
    ['due_date', 'event_id', 'event_id.start', 'event_id.stop', 'event_id.all_day', 'event_id.tz'],
  );
  for (const row of activities) {
    const [start, stop, tz] = [row['event_id.start'], row['event_id.stop'], row['event_id.tz']];
    if (row.event_id === null || !start || !stop || !tz) continue;
    const times = { start, stop, tz, all_day: row['event_id.all_day'] === true };
    if (firstDay(times) === row.due_date) continue;
    await server.model('calendar.event').write([row.event_id], timesOn(row.due_date, times));
  }
}

/** Creates the meetings of activities: an hour on their due date. */
export async function makeMeetings(env: Env, activityIds: readonly number[]): Promise<void> {
  // As the server: a user who assigns an activity need not be allowed to read it afterwards.
  const server = env.sudo();
  const activities = await server.model('mail.activity').searchRead(
    [
      ['id', 'in', activityIds],
      ['type_id.makes_meeting', '=', true],
      ['event_id', '=', null],
      ['done', '=', false],
    ],
    ['name', 'note', 'due_date', 'user_id', 'user_id.tz', 'model', 'res_id'],
  );
  for (const activity of activities) {
    const start = firstHour(env, activity.due_date, activity['user_id.tz'] ?? 'UTC');
    const id = await anyModel(server, 'calendar.event').create({
      name: activity.name,
      description: activity.note,
      start: new Date(start).toISOString(),
      stop: new Date(start + hourMs).toISOString(),
      organiser_id: activity.user_id,
      ...linkTo(env, activity.model, activity.res_id),
    });
    await server.model('mail.activity').write([activity.id], { event_id: id });
  }
}

const hourMs = 3_600_000;

/** Nine in the morning, or the next full hour if that is over. */
function firstHour(env: Env, day: string, tz: string): number {
  const nine = fromLocal(Date.parse(day) + 9 * hourMs, tz);
  const next = Math.ceil(env.now.getTime() / hourMs) * hourMs;
  return nine < env.now.getTime() && dateIn(tz, new Date(next)) === day ? next : nine;
}

/** A contact is a guest; for other models an addon may add the field of the meeting that points at them. */
function linkTo(env: Env, model: string, id: number): Readonly<Record<string, unknown>> {
  if (model === 'core.partner') return { partner_ids: [['link', id]] };
  const { fields } = env.registry.model('calendar.event');
  const link = [...fields.values()].find(
    ({ spec, kind, module }) => module !== 'calendar' && kind.isToOne && spec.relation === model,
  );
  return link ? { [link.name]: id } : {};
}
