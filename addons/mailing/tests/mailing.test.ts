import { sql } from '@kontor/database';
import type { Actor } from '@kontor/orm';
import { typedEnv } from '@kontor/orm';
import { workOff } from '@kontor/parts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteAnswers, settleRecipients } from '../sending/note-answers.ts';
import { type MailingWorld, mailingWorld } from './mailing-world.ts';

let world: MailingWorld;
beforeAll(async () => {
  world = await mailingWorld();
});
afterAll(() => world.close());
beforeEach(() =>
  world.kernel.database.execute(sql`
    with a as (delete from mail_queue), b as (delete from mailing_mailing), c as (delete from mailing_address)
    delete from core_partner where city = 'Oslo'`),
);

/** All that is due, as the queue of every process does it. */
const sendDue = async () => {
  const [queue] = world.kernel.loaded.definitions.get('mailing')?.queues ?? [];
  if (!queue) throw new Error('There is no queue.');
  await world.makeDue();
  await workOff(world.kernel, { ...queue, name: 'mailing.recipients' });
};
const sendAll = async (id: number) => {
  await world.call(id, 'schedule');
  await world.list();
  await sendDue();
};
const details = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error) => JSON.parse(JSON.stringify(error.details.fields)),
  );

describe('audience', () => {
  it('MLG-1 a mailing goes to everybody in its audience once, with the values of each, at its rate', async () => {
    await world.contact({ name: 'Ann', email: 'ann@customer.test' });
    await world.contact({ name: 'Ann again', email: 'ANN@customer.test' });
    await world.contact({ name: 'Ben', email: 'ben@customer.test' });
    await world.contact({ name: 'Without' });
    await world.contact({ name: 'Elsewhere', city: 'Bergen', email: 'bergen@customer.test' });
    const id = await world.mailing({ rate: 60 });
    expect(await world.read(id)).toMatchObject({ audience: 3, sample: 'Ann, Ann again, Ben', state: 'draft' });
    await world.call(id, 'schedule');
    await world.list();
    await world.list();
    const listed = await world.recipients(id);
    expect(listed.map((row) => row['address_id.email'])).toEqual(['ann@customer.test', 'ben@customer.test']);
    const [first = 0, second = 0] = listed.map((row) => Date.parse(String(row.next_try)));
    expect(second - first).toBe(60_000);
    await sendDue();
    expect((await world.queued()).map(({ recipient, subject }) => [recipient, subject])).toEqual([
      ['ann@customer.test', 'News for Ann'],
      ['ben@customer.test', 'News for Ben'],
    ]);
    expect(await world.read(id)).toMatchObject({ state: 'done', sent_count: 2, recipient_count: 2 });
    expect((await world.queued())[0]?.body_html).toContain('Dear <strong>Ann</strong>,');
    await world.kernel.database.execute(sql`delete from core_partner where city = 'Bergen'`);
  });

  it('MLG-2 it is checked when it is written: fields, address, filter and rate, each at its field', async () => {
    expect(await details(world.mailing({ body: '{nme}' }))).toEqual({
      body: ['Contact has no field {nme} that can be inserted. Did you mean {name}?'],
    });
    expect(await details(world.mailing({ address_path: 'emial' }))).toEqual({
      address_path: [expect.stringContaining('{email}')],
    });
    expect(await details(world.mailing({ domain: [['nothing', '=', 1]] }))).toEqual({
      domain: [expect.stringContaining('nothing')],
    });
    expect(await details(world.mailing({ domain: ['|', '|', ['city', '=', 'Oslo']] }))).toEqual({
      domain: [expect.any(String)],
    });
    expect(await details(world.mailing({ rate: 5000 }))).toEqual({ rate: ['At most 500 mails per hour are allowed.'] });
    expect(await details(world.mailing({ model: 'sys.mail.server', address_path: 'host' }))).toMatchObject({
      model: [expect.any(String)],
    });
    await expect(world.call(await world.mailing(), 'schedule')).rejects.toThrow(
      'Nobody in the audience has an address.',
    );
  });

  it('MLG-2 what was scheduled is not changed any more, and its state is not written by hand', async () => {
    await world.contact({ email: 'ann@customer.test' });
    const id = await world.mailing();
    await world.call(id, 'schedule');
    const write = (values: Readonly<Record<string, unknown>>) =>
      world.work((env) => env.outside(true).model('mailing.mailing').write([id], values), world.mia);
    await expect(write({ body: 'Other' })).rejects.toThrow('Only drafts can be changed.');
    await expect(write({ rate: 9000 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(write({ state: 'done' })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(write({ sender_id: world.admin.uid })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(world.call(id, 'schedule')).rejects.toThrow('This mailing was scheduled already.');
  });
});

describe('rights', () => {
  it('MLG-3 it is filled and its audience chosen with the rights of whoever scheduled it, whoever wrote it', async () => {
    const hidden = { is_private: true, user_id: world.admin.uid };
    await world.contact({ name: 'Hidden', email: 'hidden@customer.test', ...hidden });
    await world.contact({ name: 'Ann', email: 'ann@customer.test' });
    const id = await world.mailing({ user_id: world.admin.uid });
    expect(await world.read(id)).toMatchObject({ audience: 1, sample: 'Ann' });
    await sendAll(id);
    expect((await world.queued()).map(({ recipient }) => recipient)).toEqual(['ann@customer.test']);
    // Written by an administrator, scheduled by Mia: the forecast of a team is not for her.
    await world.kernel.database.execute(sql`delete from mail_queue`);
    const team = await world.work((env) => env.sudo().model('sale.team').create({ name: 'North' }));
    const partner = await world.contact({ email: 'lead@customer.test' });
    await world.work((env) =>
      env.sudo().model('crm.lead').create({ name: 'Lead', partner_id: partner, team_id: team, user_id: world.mia.uid }),
    );
    const theirs = {
      ...{ model: 'crm.lead', domain: [['name', '=', 'Lead']], address_path: 'partner_id.email' },
      ...{ subject: 'x {name}', body: 'Sum {team_id.forecast}\n\nHello {name}' },
    };
    const sums = async (who: Actor) => {
      const secret = await world.mailing(theirs, world.admin);
      await world.call(secret, 'schedule', {}, who);
      await world.list();
      await sendDue();
      return (await world.queued()).at(-1)?.body_text;
    };
    expect(await sums(world.mia)).toMatch(/^Hello Lead/);
    expect(await sums(world.admin)).toContain('Sum ');
  });

  it('MLG-3 only its group sends mailings, those of its companies; guests and colleagues see none of it', async () => {
    const colleague = await world.person('Carl Colleague', ['base.group_user', 'contacts.group_manager']);
    const guest = await world.person('Greta Guest', ['base.group_portal']);
    const id = await world.mailing();
    for (const who of [colleague, guest]) {
      await expect(world.mailing({}, who)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
      await expect(world.call(id, 'schedule', {}, who)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
      for (const model of ['mailing.mailing', 'mailing.recipient', 'mailing.address'])
        await expect(world.work((env) => env.model(model).search([]), who)).rejects.toMatchObject({
          code: 'ACCESS_DENIED',
        });
    }
    const abroad = await world.work(async (env) => {
      const [own] = await env
        .sudo()
        .model('core.company')
        .read([world.admin.companyId as number], ['currency_id']);
      const company = await env.sudo().model('core.company').create({ name: 'Abroad', currency_id: own?.currency_id });
      return env
        .sudo()
        .model('mailing.mailing')
        .create({ name: 'Abroad', subject: 'x', body: 'x', lang: 'en_US', company_id: company });
    });
    expect(await world.work((env) => env.model('mailing.mailing').search([['id', '=', abroad]]), world.mia)).toEqual(
      [],
    );
    await expect(world.call(abroad, 'schedule')).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('MLG-3 a sender who is archived sends nothing more: the mailing pauses and says why', async () => {
    await world.contact({ email: 'ann@customer.test' });
    const leaver: Actor = await world.person('Lea Leaver', ['base.group_user', 'mailing.group_user']);
    const id = await world.mailing({}, leaver);
    await world.call(id, 'schedule', {}, leaver);
    await world.work((env) => env.sudo().model('core.user').write([leaver.uid], { active: false }));
    await world.list();
    expect(await world.read(id)).toMatchObject({
      state: 'paused',
      problem: 'sender',
    });
    expect(await world.queued()).toEqual([]);
  });
});

describe('what is sent', () => {
  it('MLG-4 a value is text: neither markup, nor Markdown, nor a header, nor a placeholder', async () => {
    const name = '<script>alert(1)</script> **x** [pay](https://evil.test) {email}';
    await world.contact({ name, email: 'ann@customer.test' });
    const id = await world.mailing({ subject: 'For {name}\r\nBcc: x@y.test' });
    await sendAll(id);
    const [mail] = await world.queued();
    expect(mail?.subject).not.toMatch(/[\r\n]/);
    expect(mail?.body_html).not.toContain('<script>');
    expect(mail?.body_html).not.toContain('href="https://evil.test"');
    expect(mail?.body_html).toContain(
      '&#60;script&#62;alert(1)&#60;/script&#62; **x** [pay](https://evil.test) {email}',
    );
    expect(mail?.body_text).toContain(name);
  });

  it('MLG-5 a test goes to oneself alone, as the first of the audience would get it', async () => {
    await world.contact({ name: 'Ann', email: 'ann@customer.test' });
    const id = await world.mailing();
    await world.call(id, 'test');
    expect((await world.queued()).map(({ recipient, subject }) => [recipient, subject])).toEqual([
      ['mia@kontor.test', 'News for Ann'],
    ]);
    expect(await world.read(id)).toMatchObject({ state: 'draft', recipient_count: 0 });
  });

  it('MLG-6 the rate of the company holds over all its mailings', async () => {
    await world.work((env) =>
      env
        .sudo()
        .model('core.company')
        .write([world.admin.companyId as number], { mailing_most_per_hour: 3 }),
    );
    for (const name of ['a', 'b', 'c', 'd', 'e']) await world.contact({ name, email: `${name}@customer.test` });
    const [one, two] = [await world.mailing({ rate: 3 }), await world.mailing({ rate: 3 })];
    await world.call(one, 'schedule');
    await world.call(two, 'schedule');
    await world.list();
    await sendDue();
    expect(await world.queued()).toHaveLength(3);
    await world.kernel.database.execute(
      sql`update mailing_recipient set sent_at = now() - interval '61 minutes' where sent_at is not null`,
    );
    await sendDue();
    expect(await world.queued()).toHaveLength(6);
    await world.work((env) =>
      env
        .sudo()
        .model('core.company')
        .write([world.admin.companyId as number], { mailing_most_per_hour: 500 }),
    );
  });

  it('MLG-6 a mailing begins at its time, pauses, goes on and is cancelled', async () => {
    await world.contact({ email: 'ann@customer.test' });
    await world.contact({ email: 'ben@customer.test' });
    const id = await world.mailing();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await world.call(id, 'schedule', { send_at: tomorrow });
    await world.list();
    expect(await world.recipients(id)).toEqual([]);
    await world.call(id, 'pause');
    await world.call(id, 'resume');
    await world.list();
    await world.call(id, 'pause');
    await sendDue();
    expect(await world.queued()).toEqual([]);
    await world.call(id, 'cancel');
    await world.list();
    await sendDue();
    expect(await world.queued()).toEqual([]);
    await expect(world.call(id, 'resume')).rejects.toThrow('This mailing is not paused.');
  });
});

describe('report', () => {
  it('MLG-7 it counts what was sent, answered, not delivered and given up, with the lists behind', async () => {
    for (const name of ['ann', 'ben', 'cleo', 'dan']) await world.contact({ name, email: `${name}@customer.test` });
    const id = await world.mailing();
    await sendAll(id);
    const rows = await world.recipients(id);
    const keyOf = (name: string) =>
      String(rows.find((row) => row['address_id.email'] === `${name}@customer.test`)?.mail_key);
    const asServer = <T>(run: Parameters<typeof world.work<T>>[0]) => world.work((env) => run(env.sudo()));
    const mailbox = await asServer((env) =>
      env.model('mail.mailbox').create({ name: 'Office', address: 'office@kontor.test' }),
    );
    const receive = async (ref: string, mark: string, fingerprint: string) => {
      const values = { mailbox_id: mailbox, company_id: world.admin.companyId, fingerprint, size: 1 };
      const incoming = await asServer((env) => env.model('mail.incoming').create(values));
      await asServer((env) => env.model('mail.incoming').write([incoming], { answers_ref: ref, mark }));
      return incoming;
    };
    await receive(keyOf('ann'), 'message', 'a');
    await receive(keyOf('ben'), 'bounce', 'b');
    await receive(keyOf('cleo'), 'auto', 'c');
    const forged = await receive('00000000-0000-4000-8000-000000000000', 'bounce', 'd');
    await asServer((env) => noteAnswers(typedEnv(env), [forged]));
    await world.kernel.database.execute(sql`update mail_queue set state = 'dead' where message_id = ${keyOf('dan')}`);
    await world.kernel.database.execute(sql`update mail_queue set state = 'sent' where message_id <> ${keyOf('dan')}`);
    expect(await asServer((env) => settleRecipients(typedEnv(env), 0))).toBe(null);
    expect(await world.read(id)).toMatchObject({
      sent_count: 3,
      failed_count: 1,
      answered_count: 1,
      bounced_count: 1,
      opted_out_count: 0,
    });
    const opened = (await world.call(id, 'open_bounced')) as { redirect: string };
    expect(decodeURIComponent(opened.redirect)).toContain(`[["mailing_id","=",${id}],["bounced","=",1]]`);
    // The address that did not work is left out the next time.
    await world.kernel.database.execute(sql`delete from mail_queue`);
    const next = await world.mailing();
    await sendAll(next);
    expect((await world.queued()).map(({ recipient }) => recipient)).not.toContain('ben@customer.test');
    expect((await world.recipients(next)).map((row) => row.left_out_for)).toContain('bounced');
    await asServer((env) => env.model('mail.incoming').unlink([forged]));
  });

  it('MLG-7 whoever left the audience, changed the address or whose mail came back meanwhile gets nothing', async () => {
    const gone = await world.contact({ name: 'Gone', email: 'gone@customer.test' });
    const moved = await world.contact({ name: 'Moved', email: 'moved@customer.test' });
    const failing = await world.contact({ name: 'Failing', email: 'failing@customer.test' });
    const id = await world.mailing();
    await world.call(id, 'schedule');
    await world.list();
    await world.work(async (env) => {
      const partners = env.sudo().model('core.partner');
      await partners.write([gone], { city: 'Bergen' });
      await partners.write([moved], { email: 'new@customer.test' });
      await partners.write([failing], { mail_failed_at: '2026-01-01T00:00:00Z' });
    });
    await sendDue();
    expect(await world.queued()).toEqual([]);
    expect((await world.recipients(id)).map((row) => row.left_out_for)).toEqual(['gone', 'address', 'bounced']);
    expect(await world.read(id)).toMatchObject({ state: 'done', left_out_count: 3 });
    await world.kernel.database.execute(sql`delete from core_partner where city = 'Bergen'`);
  });
});
