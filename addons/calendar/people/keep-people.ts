import type { Env } from '@kontor/addon';

/** Who was added to a meeting. */
export interface Added {
  readonly eventId: number;
  readonly userId: number;
}

/**
 * Each colleague and guest of a meeting has one line with their answer, and nobody else. As the server: the organiser need not see
 * every contact, and lines cannot be created by hand.
 */
export async function keepPeople(env: Env, ids: readonly number[]): Promise<readonly Added[]> {
  const server = env.sudo();
  const events = await server.model('calendar.event').searchRead(
    [
      ['id', 'in', ids],
      ['shadow_of_id', '=', null],
    ],
    ['organiser_id', 'user_ids', 'partner_ids'],
  );
  const lines = server.model('calendar.person');
  const all = await lines.searchRead([['event_id', 'in', ids]], ['event_id', 'user_id', 'partner_id']);
  const gone: number[] = [];
  const users: Added[] = [];
  const missing = events.flatMap(({ id, organiser_id: organiser, user_ids, partner_ids }) => {
    const known = all.filter((line) => line.event_id === id);
    gone.push(...known.filter((line) => !isNamed(line, user_ids, partner_ids)).map((line) => line.id));
    const colleagues = user_ids.filter((user) => !known.some((line) => line.user_id === user));
    const guests = partner_ids.filter((partner) => !known.some((line) => line.partner_id === partner));
    users.push(...colleagues.map((userId) => ({ eventId: id, userId })));
    return [
      ...colleagues.map((user_id) => ({ event_id: id, user_id, answer: user_id === organiser ? yes : asked })),
      ...guests.map((partner_id) => ({ event_id: id, partner_id })),
    ];
  });
  if (gone.length > 0) await lines.unlink(gone);
  if (missing.length > 0) await lines.createMany(missing);
  return users;
}

const yes = 'yes' as const;
const asked = 'asked' as const;

interface Line {
  readonly user_id: number | null;
  readonly partner_id: number | null;
}

function isNamed({ user_id: user, partner_id: partner }: Line, users: readonly number[], partners: readonly number[]) {
  return user === null ? partner !== null && partners.includes(partner) : users.includes(user);
}
