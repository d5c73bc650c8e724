import { sql } from '@kontor/database';
import { typedEnv } from '@kontor/orm';
import { workOff } from '@kontor/parts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { optOutRoutes } from '../optout/routes.ts';
import { type MailingWorld, mailingWorld } from './mailing-world.ts';

let world: MailingWorld;
beforeAll(async () => {
  world = await mailingWorld();
});
afterAll(() => world.close());

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** As somebody who is not signed in. */
const ask = async (method: 'GET' | 'POST', path: string, body: unknown = null, lang = 'en'): Promise<Answer> => {
  const route = optOutRoutes.find((each) => each.method === method);
  const nobody = { ...world.admin, uid: 0, groups: new Set<string>(), companyIds: [], companyId: null };
  const request = { params: { token: path.split('/').at(-1) }, path, body, lang };
  return (await world.work(
    (env) => route?.handler({ ...request, env: typedEnv(env) } as never) as Promise<Answer>,
    nobody,
  )) as Answer;
};
const sendDue = async () => {
  const [queue] = world.kernel.loaded.definitions.get('mailing')?.queues ?? [];
  if (!queue) throw new Error('There is no queue.');
  await world.makeDue();
  await workOff(world.kernel, { ...queue, name: 'mailing.recipients' });
};
const send = async () => {
  await world.kernel.database.execute(sql`delete from mail_queue`);
  const id = await world.mailing();
  await world.call(id, 'schedule');
  await world.list();
  await sendDue();
  return id;
};
const partner = async (id: number) =>
  (await world.work((env) => env.model('core.partner').read([id], ['mailing_opted_out_at'])))[0]?.mailing_opted_out_at;

it('MLG-8 each mail has its own way out: a header for one click and a page with a button; opening it changes nothing', async () => {
  const ann = await world.contact({ name: 'Ann', email: 'Ann@customer.test' });
  const id = await send();
  const [mail] = await world.queued();
  const link = String(mail?.unsubscribe);
  expect(link).toMatch(/^https:\/\/kontor\.example\/mailing\/out\/[0-9a-z]+-[0-9a-f]{32}$/);
  expect(mail?.body_html).toContain(`href="${link}"`);
  expect(mail?.body_text).toContain(`Unsubscribe:\n${link}`);
  const path = new URL(link).pathname;
  const page = await ask('GET', path);
  expect(page.body).toContain('<button name="do" value="unsubscribe">Unsubscribe</button>');
  expect(await partner(ann)).toBeNull();
  expect((await ask('GET', path, null, 'ar')).body).toContain('dir="rtl"');
  const done = await ask('POST', path, { 'List-Unsubscribe': 'One-Click' });
  expect(done.body).toContain('You get no more mailings');
  expect(await partner(ann)).toEqual(expect.any(String));
  expect(await world.read(id)).toMatchObject({ opted_out_count: 1 });
  // A second click changes nothing.
  expect((await ask('POST', path, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
  expect(await world.read(id)).toMatchObject({ opted_out_count: 1 });
});

it('MLG-8 it holds for every later mailing, for other contacts with the address and new ones, and after a mailing is deleted', async () => {
  await send();
  expect(await world.queued()).toEqual([]);
  const again = await world.contact({ name: 'Ann elsewhere', email: 'ann@CUSTOMER.test' });
  expect(await partner(again)).toEqual(expect.any(String));
  const moved = await world.contact({ name: 'Ben', email: 'ben@customer.test' });
  expect(await partner(moved)).toBeNull();
  const write = (email: string) => world.work((env) => env.model('core.partner').write([moved], { email }));
  await write('ann@customer.test');
  expect(await partner(moved)).toEqual(expect.any(String));
  await write('ben@customer.test');
  expect(await partner(moved)).toBeNull();
  await world.kernel.database.execute(sql`delete from mailing_mailing`);
  await send();
  expect((await world.queued()).map(({ recipient }) => recipient)).toEqual(['ben@customer.test']);
});

it('MLG-8 between listing and sending it is honoured as well', async () => {
  await world.kernel.database.execute(sql`delete from mail_queue`);
  await world.contact({ name: 'Cleo', email: 'cleo@customer.test' });
  const id = await world.mailing();
  await world.call(id, 'schedule');
  await world.list();
  const [address = 0] = await world.work((env) =>
    env.model('mailing.address').search([['email', '=', 'cleo@customer.test']]),
  );
  await world.work((env) => env.model('mailing.address').call([address], 'opt_out', { reason: 'By phone' }), world.mia);
  await sendDue();
  expect((await world.queued()).map(({ recipient }) => recipient)).not.toContain('cleo@customer.test');
  expect((await world.recipients(id)).map((row) => row.left_out_for)).toContain('opted_out');
});

it('MLG-9 a made-up link tells and changes nothing, and that of another address is no key to this one', async () => {
  const links = await world.kernel.database.query<{ id: number; secret: string }>(
    sql`select id, secret from mailing_address order by id`,
  );
  const [first, second] = links;
  const forged = [
    '1-00000000000000000000000000000000',
    `${(first?.id ?? 0).toString(36)}-${'a'.repeat(32)}`,
    `zzzzzzz-${'0'.repeat(32)}`,
    '../../x',
    '',
  ];
  for (const token of forged) {
    expect(await ask('GET', `/mailing/out/${token}`)).toMatchObject({ status: 404 });
    await expect(ask('POST', `/mailing/out/${token}`, { do: 'subscribe' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  }
  const { optOutAddress } = await import('../optout/links.ts');
  const own = await world.work((env) => optOutAddress(typedEnv(env), second?.id ?? 0));
  const mac = String(own).split('-').at(-1);
  await expect(ask('POST', `/mailing/out/${(first?.id ?? 0).toString(36)}-${mac}`, {})).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  // The secret is read by nobody.
  const shown = await world.work((env) => env.model('mailing.address').searchRead([], undefined as never));
  expect(JSON.stringify(shown)).not.toContain(first?.secret);
});

it('MLG-10 only its owner subscribes an address again, or a person of bulk mail with a reason that stays', async () => {
  const [address = 0] = await world.work((env) =>
    env.model('mailing.address').search([['email', '=', 'ann@customer.test']]),
  );
  const again = (reason: string | null, who = world.mia) =>
    world.work((env) => env.model('mailing.address').call([address], 'subscribe_again', { reason }), who);
  const colleague = await world.person('Carl Colleague', ['base.group_user', 'contacts.group_manager']);
  await expect(again('I want it', colleague)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await expect(again(null)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  const write = (who = world.mia) =>
    world.work((env) => env.outside(true).model('mailing.address').write([address], { opted_out_at: null }), who);
  await expect(write()).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await again('Asked for it at the fair');
  const read = async () =>
    (await world.work((env) => env.model('mailing.address').read([address], ['opted_out_at', 'reason'])))[0];
  expect(await read()).toMatchObject({ opted_out_at: null, reason: 'Mia Mailer: Asked for it at the fair' });
  const { optOutAddress } = await import('../optout/links.ts');
  const path = new URL(String(await world.work((env) => optOutAddress(typedEnv(env), address)))).pathname;
  await ask('POST', path, { do: 'unsubscribe' });
  expect((await read())?.opted_out_at).toEqual(expect.any(String));
  expect((await ask('GET', path)).body).toContain('Subscribe again');
  await ask('POST', path, { do: 'subscribe' });
  expect(await read()).toMatchObject({ opted_out_at: null, reason: 'By the link in a mailing' });
});

it('MLG-12 an address is seen in the companies that wrote to it, and nowhere else', async () => {
  await world.contact({ name: 'Zoe', email: 'zoe@customer.test' });
  await send();
  const other = await world.work(async (env) => {
    const [own] = await env.model('core.company').read([world.admin.companyId as number], ['currency_id']);
    return env.sudo().model('core.company').create({ name: 'Elsewhere', currency_id: own?.currency_id });
  });
  const groups = ['base.group_user', 'mailing.group_user'];
  const stranger = await world.person('Stan Stranger', groups, { company_id: other, company_ids: [['set', [other]]] });
  const seen = (who: typeof stranger) =>
    world.work((env) => env.model('mailing.address').searchRead([['email', '=', 'zoe@customer.test']], ['email']), who);
  expect(await seen(world.mia)).toMatchObject([{ email: 'zoe@customer.test' }]);
  expect(await seen(stranger)).toEqual([]);
});
