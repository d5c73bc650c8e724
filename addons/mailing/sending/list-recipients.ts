import { randomBytes } from 'node:crypto';
import { anyModel, type Env, inNameOf, KontorError, wakeQueue } from '@kontor/addon';
import { addressIn, domainOf } from './audience.ts';

const batch = 500;
const paths = [
  'model',
  'domain',
  'address_path',
  'rate',
  'company_id',
  'sender_id',
  'position',
  'send_at',
  'is_listed',
  'recipient_count',
  'state',
] as const;

/**
 * Lists the next recipients of a mailing that has begun, with the rights of its sender. Returns whether there may be more. The job runs
 * in one process at a time, and the position is stored with the recipients: a crash neither loses nor doubles one.
 */
export async function listRecipients(env: Env): Promise<boolean> {
  const server = env.sudo();
  const [mailing] = await server
    .model('mailing.mailing')
    .searchRead(
      [
        ['send_at', '<=', env.now.toISOString()],
        '|',
        ['state', '=', 'waiting'],
        '&',
        ['state', '=', 'sending'],
        ['is_listed', '=', false],
      ],
      [...paths],
      { order: 'id', limit: 1 },
    );
  if (!mailing) return false;
  await server.model('mailing.mailing').write([mailing.id], { state: 'sending' });
  if (!mailing.is_listed) await listNext(server, mailing);
  return true;
}

type Mailing = Pick<Awaited<ReturnType<typeof readOne>>, (typeof paths)[number] | 'id'>;
async function readOne(env: Env) {
  const [mailing] = await env.model('mailing.mailing').read([0], [...paths]);
  return mailing as NonNullable<typeof mailing>;
}

async function listNext(server: Env, mailing: Mailing): Promise<void> {
  const sender = await inNameOf(server, mailing.sender_id ?? 0, mailing.company_id);
  if (!sender) return stop(server, mailing.id, 'sender');
  const path = mailing.address_path;
  let found: readonly Readonly<Record<string, unknown>>[];
  try {
    const domain = [...domainOf(mailing), ['id', '>', mailing.position]] as never;
    found = await anyModel(sender, mailing.model).searchRead(domain, ['display_name', path], {
      order: 'id',
      limit: batch,
    });
  } catch (error) {
    if (error instanceof KontorError) return stop(server, mailing.id, 'rights');
    throw error;
  }
  const people = new Map<string, { readonly id: number; readonly name: string }>();
  for (const row of found) {
    const email = addressIn(row[path]);
    if (email !== null && !people.has(email)) people.set(email, { id: Number(row.id), name: String(row.display_name) });
  }
  await addRecipients(server, mailing, people);
  const last = found.at(-1)?.id;
  const isListed = found.length < batch || Number(last) <= mailing.position;
  const { recipient_count: total } =
    (await server.model('mailing.mailing').read([mailing.id], ['recipient_count']))[0] ?? {};
  await server.model('mailing.mailing').write([mailing.id], {
    is_listed: isListed,
    ...(isListed && !total ? { state: 'done' as const } : {}),
    ...(last === undefined ? {} : { position: Number(last) }),
  });
  wakeQueue(server, 'mailing.recipient');
}

/** Addresses that have it already, from an earlier part, are passed over. */
async function addRecipients(
  server: Env,
  mailing: Mailing,
  people: ReadonlyMap<string, { readonly id: number; readonly name: string }>,
): Promise<void> {
  if (people.size === 0) return;
  const addresses = await addressesFor(server, [...people.keys()]);
  const recipients = server.model('mailing.recipient');
  const known = await recipients.searchRead(
    [
      ['mailing_id', '=', mailing.id],
      ['address_id', 'in', addresses.map(({ id }) => id)],
    ],
    ['address_id'],
  );
  const has = new Set(known.map(({ address_id: address }) => address));
  const begins = Math.max(Date.parse(mailing.send_at ?? ''), server.now.getTime());
  const news = addresses.filter(({ id }) => !has.has(id));
  await recipients.createMany(
    news.map(({ id, email }, at) => ({
      ...{ mailing_id: mailing.id, company_id: mailing.company_id, address_id: id, model: mailing.model },
      ...{ res_id: people.get(email)?.id ?? 0, name: people.get(email)?.name.slice(0, 300) ?? null },
      next_try: spread(begins, mailing.recipient_count + at, mailing.rate),
    })),
  );
}

/** The nth mail of an hour has its own time, so that the rate holds whatever else happens. */
function spread(begins: number, at: number, rate: number): string {
  return new Date(begins + Math.floor((at * 3_600_000) / rate)).toISOString();
}

/** The addresses with their rows, which are made if they are new. */
export async function addressesFor(server: Env, emails: readonly string[]) {
  const addresses = server.model('mailing.address');
  const find = () => addresses.searchRead([['email', 'in', [...emails]]], ['email'], { limit: emails.length });
  const known = new Set((await find()).map(({ email }) => email));
  const news = emails.filter((email) => !known.has(email));
  await addresses.createMany(news.map((email) => ({ email, secret: randomBytes(32).toString('hex') })));
  const order = new Map(emails.map((email, at) => [email, at]));
  return (await find()).toSorted((one, other) => (order.get(one.email) ?? 0) - (order.get(other.email) ?? 0));
}

/** A person decides what to do about it. */
export async function stop(server: Env, id: number, problem: 'sender' | 'rights'): Promise<void> {
  await server.model('mailing.mailing').write([id], { state: 'paused', problem });
}
