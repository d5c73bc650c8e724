import { type Env, wordsFor } from '@kontor/addon';

const mirrored = ['start', 'stop', 'all_day', 'tz', 'organiser_id', 'user_ids'] as const;

/** Whether a change of a private meeting affects what others see. */
export function isMirrored(values: Readonly<Record<string, unknown>>): boolean {
  return 'privacy' in values || mirrored.some((name) => name in values);
}

/**
 * A second record beside a private meeting shows others that its attendees are busy, and nothing else. As the server: such a record
 * cannot be written by hand.
 */
export async function keepBusy(env: Env, ids: readonly number[]): Promise<void> {
  const events = env.sudo().model('calendar.event');
  const shadows = await events.searchRead([['shadow_of_id', 'in', ids]], ['shadow_of_id']);
  const rows = await events.searchRead(
    [
      ['id', 'in', ids],
      ['shadow_of_id', '=', null],
    ],
    ['privacy', ...mirrored],
  );
  const isPrivate = new Set(rows.filter((row) => row.privacy === 'people').map((row) => row.id));
  const open = shadows.filter((shadow) => !isPrivate.has(shadow.shadow_of_id ?? 0));
  if (open.length > 0) await events.unlink(open.map((shadow) => shadow.id));
  for (const { id, privacy, user_ids: users, ...times } of rows) {
    if (privacy !== 'people') continue;
    const values = { ...times, user_ids: [['set', users] as const] };
    const known = shadows.find((shadow) => shadow.shadow_of_id === id);
    if (known) await events.write([known.id], values);
    else await events.create({ ...values, name: await busyWord(env, times.organiser_id), shadow_of_id: id });
  }
}

/** A name is stored, so it is in one language: that of the organiser. */
async function busyWord(env: Env, organiserId: number): Promise<string> {
  const { say } = await wordsFor(env, organiserId, 'calendar');
  return say('Busy');
}
