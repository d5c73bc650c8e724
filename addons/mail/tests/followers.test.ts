import { sql } from '@kontor/database';
import { type Actor, typedEnv } from '@kontor/orm';
import { quietEnd, quietHoursIn, startWorkers } from '@kontor/parts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendMessage, takeBack } from '../chatter/send-message.ts';
import { suggestRecipients } from '../chatter/suggest-recipients.ts';
import { addFollower, removeFollower } from '../following/change-followers.ts';
import { lastDue } from '../following/digest.ts';
import { followedChanges } from '../following/followed-changes.ts';
import { readFollowers } from '../following/read-followers.ts';
import { type FollowersWorld, followersWorld } from './followers-world.ts';
import { letter } from './mailbox-world.ts';

let world: FollowersWorld;
let ada: Actor;
let boss: Actor;
const everyLead = ['base.group_user', 'crm.group_manager'];
beforeAll(async () => {
  world = await followersWorld();
  ada = await world.colleague('Ada Author');
  boss = await world.colleague('Bea Boss', 'client', everyLead);
});
afterAll(() => world.close());
beforeEach(() => world.clear());

const thread = (id: number) => ({ model: 'crm.lead', id });
const lead = (values: object = {}) => world.lead({ user_id: ada.uid, ...values });
const followers = async (id: number, who = boss) =>
  (await world.as(who, (env) => readFollowers(env, thread(id)))).followers;
const why = async (id: number) => Object.fromEntries((await followers(id)).map((one) => [one.name, one.why]));
const choose = (who: Actor, model: 'mail.follow' | 'mail.follow.kind', values: Record<string, unknown>) =>
  world.work((env) => env.model(model).create(values), who);
const contact = (name: string, email: string | null = `${name.toLowerCase()}@customer.test`) =>
  world.server((env) => env.model('core.partner').create({ name, email }));

describe('FOL-1 who follows and why', () => {
  it('FOL-1 the creator, people in fields, authors, people with activities, mentioned and added ones follow, each with the reason', async () => {
    const [tom, mia, eve, zoe] = (await Promise.all(
      ['Tom', 'Mia', 'Eve', 'Zoe'].map((name) => world.colleague(name, 'client', everyLead)),
    )) as [Actor, Actor, Actor, Actor];
    const id = await world.work((env) => env.model('crm.lead').create({ name: 'Why', user_id: ada.uid }), boss);
    await world.say(tom, id, 'Hello');
    await world.say(tom, id, `Ask @[Mia](user:${mia.uid})`);
    await world.work(async (env) => {
      const [type] = await env.model('mail.activity.type').search([], { limit: 1 });
      return env.model('mail.activity').create({ model: 'crm.lead', res_id: id, type_id: type, user_id: eve.uid });
    }, tom);
    await world.as(tom, (env) => addFollower(env, thread(id), { user: zoe.uid }));
    expect(await why(id)).toEqual({
      'Ada Author': 'Salesperson of the record',
      'Bea Boss': 'Created it',
      ...{ Tom: 'Wrote here', Mia: 'Was mentioned', Eve: 'Has an activity here', Zoe: 'Added by a colleague' },
    });
    expect(await world.told(zoe)).toEqual(['Tom added you as a follower | Why']);
  });

  it('FOL-1 whoever may not read the record sees no follower, and nobody sees what others hear', async () => {
    const id = await lead();
    const stranger = await world.colleague('Stranger');
    await expect(followers(id, stranger)).rejects.toThrow('A record rule does not let you read this Lead.');
    await choose(ada, 'mail.follow', { model: 'crm.lead', res_id: id, is_on: true, hears: 'states' });
    expect(JSON.stringify(await followers(id))).not.toContain('states');
    const rows = await world.work((env) => env.model('mail.follow').searchRead([['res_id', '=', id]], ['hears']), boss);
    expect(rows).toEqual([]);
    await expect(
      world.work((env) => env.model('mail.digest.item').searchRead([], ['message_id']), boss),
    ).rejects.toThrow(/may not|not allowed|cannot/i);
  });

  it('FOL-2 colleagues who may comment add and remove others who may read it; a person leaves whatever made them follow', async () => {
    const id = await lead();
    const stranger = await world.colleague('Other Stranger');
    await expect(world.as(boss, (env) => addFollower(env, thread(id), { user: stranger.uid }))).rejects.toThrow(
      'Other Stranger may not read this record.',
    );
    await expect(world.as(stranger, (env) => addFollower(env, thread(id), { user: boss.uid }))).rejects.toThrow(
      'A record rule does not let you read this Lead.',
    );
    await expect(world.as(boss, (env) => removeFollower(env, thread(id), { user: ada.uid }))).rejects.toThrow(
      'They follow because of the record. Only they can leave it.',
    );
    await world.as(ada, (env) => removeFollower(env, thread(id), { user: ada.uid }));
    expect(await why(id)).not.toHaveProperty('Ada Author');
    await world.as(boss, (env) => addFollower(env, thread(id), { user: ada.uid }));
    expect(await why(id)).toHaveProperty('Ada Author');
    // A mention does not bring somebody back who left.
    await world.as(ada, (env) => removeFollower(env, thread(id), { user: ada.uid }));
    await world.say(boss, id, `Hello @[Ada](user:${ada.uid})`);
    expect(await why(id)).not.toHaveProperty('Ada Author');
    expect(await world.told(ada)).toContain('Bea Boss mentioned you | Lamps: Hello @Ada Author');
  });
});

describe('FOL-3 what followers hear', () => {
  const happen = async (id: number) => {
    await world.say(boss, id, 'A comment');
    await world.work((env) => env.model('crm.lead').write([id], { name: 'Renamed' }), boss);
    const [won] = await world.server((env) => env.model('crm.stage').search([['is_won', '=', true]], { limit: 1 }));
    await world.work((env) => env.model('crm.lead').write([id], { stage_id: won }), boss);
    await world.say(boss, id, `Look @[Ada](user:${ada.uid})`);
    await world.tell();
  };

  it.each([
    ['all', ['mentioned', '3 news']],
    ['states', ['mentioned', 'changed Stage']],
    ['mentions', ['mentioned']],
    ['none', []],
  ] as const)('FOL-3 with %s a follower hears that much', async (hears, expected) => {
    const id = await lead({ type: 'opportunity' });
    await choose(ada, 'mail.follow', { model: 'crm.lead', res_id: id, is_on: true, hears });
    await world.clear();
    await happen(id);
    const told = await world.told(ada);
    expect(told).toHaveLength(expected.length);
    for (const words of expected) expect(told.join('\n')).toContain(words);
    const home = await world.as(ada, (env) => followedChanges(env, 20));
    expect(home.filter((change) => change.id === id)).toHaveLength(hears === 'none' ? 0 : 1);
  });

  it('FOL-3 the choice nearest to the record wins: record, kind, person', async () => {
    const id = await lead();
    const heard = async () => {
      await world.clear();
      await world.say(boss, id, 'A comment');
      await world.tell();
      return (await world.told(ada)).length > 0;
    };
    expect(await heard()).toBe(true);
    await world.setting(ada, 'following', { hears: 'none' });
    expect(await heard()).toBe(false);
    await choose(ada, 'mail.follow.kind', { model: 'crm.lead', hears: 'all' });
    expect(await heard()).toBe(true);
    await choose(ada, 'mail.follow', { model: 'crm.lead', res_id: id, hears: 'mentions' });
    expect(await heard()).toBe(false);
    await choose(ada, 'mail.follow', { model: 'crm.lead', res_id: id, hears: 'all' });
    expect(await heard()).toBe(true);
    await choose(ada, 'mail.follow.kind', { model: 'crm.lead' });
    await world.setting(ada, 'following', { hears: 'sideways', digest: 99 });
    expect(await heard()).toBe(true);
  });

  it('FOL-3 a person can follow every record of a kind that they may read, and hears of no others', async () => {
    const fan = await world.colleague('Fan');
    await choose(fan, 'mail.follow.kind', { model: 'crm.lead', every: true });
    await expect(choose(fan, 'mail.follow.kind', { model: 'core.currency', every: true })).rejects.toThrow(
      'Choose a kind of record with a discussion.',
    );
    const [hidden, open] = [await lead(), await lead({ user_id: null })];
    for (const id of [hidden, open]) await world.say(boss, id, `On ${id}`);
    await world.tell();
    expect(await world.told(fan)).toEqual([`Bea Boss wrote | Lamps: On ${open}`]);
    expect((await world.as(fan, (env) => followedChanges(env, 9))).map((change) => change.id)).toEqual([open]);
  });

  it('FOL-3 two choices at once are one, and a message is told once, also after a crash', async () => {
    const id = await lead();
    await world.say(boss, id, 'Once');
    const killed = world.server(async (env) => {
      const { tellFollowers } = await import('../following/tell-followers.ts');
      await tellFollowers(typedEnv(env));
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await world.told(ada)).toEqual([]);
    const workers = [startWorkers(world.kernel), startWorkers(await world.another())];
    await vi.waitFor(async () => expect(await world.told(ada)).toHaveLength(1), { timeout: 120_000, interval: 20 });
    await world.say(boss, id, 'Twice');
    await vi.waitFor(async () => expect(await world.told(ada)).toHaveLength(2), { timeout: 120_000, interval: 20 });
    for (const worker of workers) await worker.stop();
    await world.tell();
    expect(await world.told(ada)).toEqual(['Once', 'Twice'].map((said) => `Bea Boss wrote | Lamps: ${said}`));
  });
});

it('FOL-3 a change of many records at once is one notification, which names only what the reader may see', async () => {
  const eva = await world.colleague('Eva Many', 'both');
  await choose(eva, 'mail.follow.kind', { model: 'crm.lead', every: true });
  const ids: number[] = [];
  for (let n = 1; n <= 13; n++) ids.push(await lead({ name: `Lead ${n}`, user_id: n === 1 ? ada.uid : eva.uid }));
  await world.clear();
  await world.work((env) => env.model('crm.lead').write(ids, { partner_name: 'Nordlicht', name: 'Changed' }), boss);
  await world.tell();
  expect(await world.told(eva)).toEqual([
    `News on 12 records that you follow | ${Array(5).fill('Changed').join(', ')}`,
  ]);
  const mails = await world.queued();
  expect(mails.map(({ recipient, subject }) => `${recipient} ${subject}`)).toEqual([
    'eva.many@kontor.test News on 12 records that you follow',
  ]);
  expect(mails[0]?.body_text).not.toContain('Changed');
  expect(await world.told(ada)).toHaveLength(1);
});

describe('FOL-4 delivery', () => {
  it('FOL-4 by mail at once, with the record, a link to end it and one for mail programs', async () => {
    const eva = await world.colleague('Eva Mail', 'mail');
    const id = await lead({ user_id: eva.uid, name: 'Terrace\r\nBcc: all@customer.test' });
    await world.say(boss, id, 'The offer & <img src=x onerror=alert(1)>');
    await world.tell();
    expect(await world.told(eva)).toEqual([]);
    expect((await world.queued()).map(({ recipient }) => recipient)).toEqual(['eva.mail@kontor.test']);
    const [mail] = await world.deliver(1);
    expect(mail).toMatch(/^List-Unsubscribe: <https:\/\/kontor\.test\/mail\/unsubscribe\/[\w.-]+>$/m);
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    expect(mail).not.toMatch(/^Bcc:/im);
    expect(mail).toContain('Stop e-mails like this');
    expect(mail).toContain('The offer');
    expect(mail).toContain('&lt;img');
  });

  it('FOL-4 rights are asked again when a mail is sent: what the reader may not read by then is withdrawn', async () => {
    const eva = await world.colleague('Eva Moved', 'mail');
    const id = await lead({ user_id: eva.uid });
    await world.say(boss, id, 'Secret');
    await world.tell();
    expect(await world.queued()).toMatchObject([{ recipient: 'eva.moved@kontor.test' }]);
    await world.server((env) => env.model('crm.lead').write([id], { user_id: boss.uid }));
    expect(await world.deliver(0)).toEqual([]);
    expect(await world.queued()).toMatchObject([{ state: 'withdrawn', body_text: null }]);
  });

  it('FOL-5 the digest has what happened by record, once, without what the reader may not read by then', async () => {
    const eva = await world.colleague('Eva Daily', 'mail');
    await world.setting(eva, 'following', { hears: 'all', digest: 8 });
    const [kept, moved] = [
      await lead({ user_id: eva.uid, name: 'Kept' }),
      await lead({ user_id: eva.uid, name: 'Moved' }),
    ];
    await world.clear();
    for (const text of ['First', 'Second']) await world.say(boss, kept, text);
    await world.say(boss, moved, 'Unseen');
    await world.tell();
    expect(await world.queued()).toEqual([]);
    await world.digest();
    expect(await world.queued(), 'before the hour').toEqual([]);
    await world.kernel.database.execute(sql`update mail_digest_item set create_date = now() - interval '25 hours'`);
    await world.server((env) => env.model('crm.lead').write([moved], { user_id: boss.uid }));
    await world.digest();
    await world.digest();
    const [mail, ...others] = await world.queued();
    expect(others).toEqual([]);
    expect(mail?.recipient).toBe('eva.daily@kontor.test');
    expect(mail?.body_text).toContain('Kept\nBea Boss wrote: First\nBea Boss wrote: Second\nhttps://kontor.test/web');
    expect(mail?.body_text).not.toContain('Unseen');
    expect(mail?.body_text).not.toContain('Moved');
  });

  it('FOL-5 the hour of the digest is that of the person’s clock, also when clocks change', () => {
    const at = (instant: string, hour: number) =>
      new Date(lastDue(new Date(instant), 'Europe/Berlin', hour)).toISOString();
    expect(at('2026-06-10T06:30:00Z', 8)).toBe('2026-06-10T06:00:00.000Z');
    expect(at('2026-06-10T05:30:00Z', 8)).toBe('2026-06-09T06:00:00.000Z');
    // The night without two o'clock, and the one that has it twice.
    expect(at('2026-03-29T05:00:00Z', 2)).toBe('2026-03-29T01:00:00.000Z');
    expect(at('2026-10-25T00:30:00Z', 2)).toBe('2026-10-25T00:00:00.000Z');
    expect(at('2026-10-25T01:30:00Z', 2)).toBe('2026-10-25T00:00:00.000Z');
  });

  it('FOL-6 quiet hours hold mails until they end; mentions pass if the person says so', async () => {
    const eva = await world.colleague('Eva Quiet', 'mail');
    const id = await lead({ user_id: eva.uid });
    const hour = (plus: number) => {
      const local = new Date(Date.now() + plus * 3_600_000).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
      return local.slice(0, 5);
    };
    const both = async (urgent: boolean) => {
      await world.setting(eva, 'quiet', { from: hour(-1), to: hour(2), urgent });
      await world.clear();
      await world.say(boss, id, 'Quiet');
      await world.say(boss, id, `Look @[Eva](user:${eva.uid})`);
      await world.tell();
      const rows = await world.queued();
      return rows
        .map(({ subject, wait }) => `${subject.includes('mentioned') ? 'mention' : 'news'} ${wait > 60}`)
        .sort();
    };
    expect(await both(true)).toEqual(['mention false', 'news true']);
    expect(await both(false)).toEqual(['mention true', 'news true']);
  });

  it('FOL-6 quiet hours end when the clock says so, over midnight and when clocks change', () => {
    const night = quietHoursIn({ from: '22:00', to: '07:00' });
    const end = (instant: string) => night && quietEnd(Date.parse(instant), 'Europe/Berlin', night);
    expect(end('2026-06-10T19:59:00Z')).toBeNull();
    expect(end('2026-06-10T20:00:00Z')).toBe('2026-06-11T05:00:00.000Z');
    expect(end('2026-06-11T04:59:00Z')).toBe('2026-06-11T05:00:00.000Z');
    expect(end('2026-06-11T05:00:00Z')).toBeNull();
    expect(end('2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(end('2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
    for (const wrong of [null, {}, { from: '25:00', to: '07:00' }, { from: '07:00', to: '07:00' }])
      expect(quietHoursIn(wrong)).toBeNull();
  });
});

describe('FOL-7 contacts outside', () => {
  const outside = { to: ['paul@customer.test'], subject: 'Offer', body: 'Here it is', files: [], at: null, key: '' };
  const send = (id: number, message: object = {}) =>
    world.as(ada, (env) => sendMessage(env, thread(id), { ...outside, ...message }));
  const add = (id: number, who: number, model = 'crm.lead') =>
    world.as(ada, (env) => addFollower(env, { model, id }, { contact: who }));

  it('FOL-7 they get copies of messages to people outside, never notes, changes or what others write', async () => {
    const [vera, paul] = [await contact('Vera'), await contact('Paul')];
    const id = await lead();
    for (const who of [vera, vera, paul]) await add(id, who);
    const suggested = await world.as(ada, (env) => suggestRecipients(env, thread(id)));
    expect(suggested.followers.map(({ address }) => address)).toEqual(['vera@customer.test', 'paul@customer.test']);
    await world.say(boss, id, 'Zebra margin is 41 percent');
    await world.work((env) => env.model('crm.lead').write([id], { name: 'Zebra' }), boss);
    await world.take(letter({ From: 'Eve <eve@customer.test>', Subject: 'Zebra' }));
    await world.tell();
    expect(await world.queued()).toEqual([]);
    await send(id);
    const rows = await world.queued();
    expect(rows.map(({ recipient }) => recipient)).toEqual(['paul@customer.test', 'vera@customer.test']);
    const mails = await world.deliver(2);
    const copy = mails.find((mail) => mail.includes('List-Unsubscribe:')) as string;
    expect(copy).toMatch(/^To: paul@customer\.test$/m);
    expect(mails.filter((mail) => mail.includes('List-Unsubscribe:'))).toHaveLength(1);
    expect(mails.join()).not.toContain('Zebra');
  });

  it('FOL-7 only where the model allows it, with an address, and undo takes the copies back', async () => {
    const [vera, mute] = [await contact('Vera'), await contact('Mute', null)];
    const id = await lead();
    await expect(add(id, mute)).rejects.toThrow('Mute has no e-mail address.');
    await expect(add(vera, vera, 'core.partner')).rejects.toThrow('Contacts cannot follow these records.');
    await add(id, vera);
    const sent = await send(id);
    expect(await world.queued()).toHaveLength(2);
    await world.as(ada, (env) => takeBack(env, sent.id));
    expect(await world.queued()).toEqual([]);
    await send(id, { at: new Date(Date.now() + 86_400_000).toISOString() });
    await world.as(ada, (env) => removeFollower(env, thread(id), { contact: vera }));
    expect((await world.queued()).map(({ recipient }) => recipient)).toEqual(['paul@customer.test']);
  });
});
