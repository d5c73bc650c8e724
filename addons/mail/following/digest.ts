import {
  defineText,
  type Env,
  fromLocal,
  isMailAddress,
  noticeWays,
  queueMail,
  quietUntil,
  recordLink,
  serverLink,
  textMail,
  toLocal,
  unsubscribeLink,
  wordsFor,
} from '@kontor/addon';
import { followed } from '../chatter/notices.ts';
import { threadDetails } from '../chatter/thread.ts';
import { keyOf } from './following.ts';
import { followingIn, followingSetting } from './hearing.ts';
import { type NewsMessage, newsFields, shownNews } from './news.ts';
import { asReader, newsText, titleOf } from './tell-followers.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const looked = 1_000;
const mostRecords = 30;
const mostLines = 5;

export const digestText = defineText('mail.digest', {
  label: 'Daily digest of followed records',
  subject: 'What happened on {count} records you follow',
  body: ['Hello {name},', 'this happened since your last digest.', '{news}'],
  button: 'Open Kontor',
  note: 'You get this once a day. You can change the hour in your profile.',
  values: {
    name: { label: 'Name', sample: 'Ingrid Solberg' },
    count: { label: 'Number of records', type: 'number', sample: '2' },
    news: { label: 'What happened', sample: 'S00042\nAiko Tanaka wrote: It is on its way.', needed: true },
  },
});

interface Stepped {
  readonly step: <T>(work: (env: Env) => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/** Sends the digests whose hour has come, each in one transaction with the end of its entries. */
export async function sendDigests({ step, signal }: Stepped): Promise<void> {
  for (const userId of await step(dueDigests)) {
    if (signal.aborted) return;
    await step((env) => sendDigest(env, userId));
  }
}

/** Users with an entry from before the last time that their clock showed the hour. As the server: a job without readers. */
async function dueDigests(env: Env): Promise<readonly number[]> {
  const server = env.sudo();
  const waiting = await server.model('mail.digest.item').readGroup({
    ...{ domain: [], groupby: ['user_id'] },
    fields: [{ name: 'oldest', field: 'create_date', measure: 'min' }],
  });
  const ids = waiting.map((row) => Number(row.user_id));
  const [people, settings] = [
    await server.model('core.user').searchRead([['id', 'in', ids]], ['tz']),
    await server.model('sys.user.setting').searchRead(
      [
        ['user_id', 'in', ids],
        ['key', '=', followingSetting],
      ],
      ['user_id', 'value'],
    ),
  ];
  const zones = new Map(people.map(({ id, tz }) => [id, tz]));
  const hours = new Map(settings.map((row) => [row.user_id, followingIn(row.value).digest]));
  return waiting.flatMap((row) => {
    const id = Number(row.user_id);
    const hour = hours.get(id) ?? null;
    const due = hour === null ? env.now.getTime() : lastDue(env.now, zones.get(id) ?? 'UTC', hour);
    return Date.parse(String(row.oldest)) < due ? [id] : [];
  });
}

/** The last time that a clock in the zone showed the hour; shifted on a day whose clocks skip it, the first on one that repeats it. */
export function lastDue(now: Date, tz: string, hour: number): number {
  const local = toLocal(now.getTime(), tz);
  const midnight = Math.floor(local / dayMs) * dayMs;
  const today = fromLocal(midnight + hour * hourMs, tz);
  return today <= now.getTime() ? today : fromLocal(midnight - dayMs + hour * hourMs, tz);
}

async function sendDigest(env: Env, userId: number): Promise<void> {
  const server = env.sudo();
  const items = server.model('mail.digest.item');
  const waiting = await items.searchRead([['user_id', '=', userId]], ['message_id'], { order: 'id', limit: looked });
  // Another process that sends it at the same time fails here, and sends nothing.
  await items.unlink(waiting.map(({ id }) => id));
  const [person] = await server.model('core.user').searchRead(
    [
      ['id', '=', userId],
      ['active', '=', true],
    ],
    ['name', 'email', 'lang', 'tz', 'company_id'],
  );
  const isWanted = (await noticeWays(env, [userId], followed)).get(userId)?.byMail;
  if (!person?.email || !isMailAddress(person.email) || !isWanted) return;
  const { say } = await wordsFor(env, userId, 'mail');
  const records = await recordsOf(
    env,
    userId,
    waiting.map((row) => row.message_id),
  );
  if (records.length === 0) return;
  const sections = records.slice(0, mostRecords).map(({ name, href, lines }) => {
    const shown = lines.slice(-mostLines).map((line) => {
      const said = newsText(line);
      return said === '' ? say(titleOf(line)) : `${say(titleOf(line))}: ${said}`;
    });
    return [name, ...shown, ...(href ? [href] : [])].join('\n');
  });
  const [end, home] = [
    await unsubscribeLink(env, ['notice', userId, followed.name, followed.usual]),
    await serverLink(env, '/web'),
  ];
  const unsubscribe = end ? { label: say('Stop e-mails like this'), href: end } : null;
  const at = await quietUntil(env, userId, person.tz, followed);
  const mail = await textMail(env, digestText, {
    ...{ to: person.email, lang: person.lang, companyId: person.company_id, href: home, unsubscribe },
    values: { name: person.name, count: records.length, news: sections.join('\n\n') },
  });
  await queueMail(env, {
    ...mail,
    ...(at ? { at } : {}),
  });
}

interface DigestRecord {
  readonly name: string;
  readonly href: string | null;
  readonly lines: Awaited<ReturnType<typeof shownNews>>;
}

/** What happened, by record, with the rights that the person has now. */
async function recordsOf(env: Env, userId: number, ids: readonly number[]): Promise<readonly DigestRecord[]> {
  const messages = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['id', 'in', [...ids]],
        ['gone_at', '=', null],
      ],
      newsFields,
      { order: 'id' },
    );
  const byRecord = new Map<string, NewsMessage[]>();
  for (const message of messages) byRecord.set(keyOf(message), [...(byRecord.get(keyOf(message)) ?? []), message]);
  const records: DigestRecord[] = [];
  for (const [key, own] of byRecord) {
    const { model, res_id: id } = own[0] as NewsMessage;
    const theirs = env.registry.models.get(model)?.chatter ? await asReader(env, userId, { model, id }) : null;
    if (!theirs) continue;
    const { name } = await threadDetails(env, { model, id });
    const lines = await shownNews(theirs, own, new Map([[key, name]]));
    if (lines.length > 0) records.push({ name, href: await recordLink(env, model, id), lines });
  }
  return records;
}
