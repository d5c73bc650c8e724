import { randomBytes } from 'node:crypto';
import { sql } from '@kontor/database';
import { openState, type WorkState, workState } from '@kontor/kernel';
import { createTestKernel, startMailServer, type TestKernel, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { resetMail } from '../identity/password-reset.ts';
import { invitationMail } from '../identity/user.ts';
import { composeMail } from '../mail/compose-mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import { classifyFailure, type MailWorker, retryAfterMs, startMail } from '../mail/start-mail.ts';

const waiting = { timeout: 120_000, interval: 20 };

const login = 'kontor:s3cret';
let server: TestMailServer;
let world: TestKernel;

beforeAll(async () => {
  server = await startMailServer({ login });
  world = await createTestKernel({
    env: {
      KONTOR_SMTP_HOST: '127.0.0.1',
      KONTOR_SMTP_PORT: String(server.port),
      KONTOR_SMTP_FROM: 'Kontor <kontor@example.com>',
      KONTOR_SMTP_TLS: 'none',
      KONTOR_SMTP_USER: 'kontor',
      KONTOR_SMTP_PASSWORD: 's3cret',
    },
  });
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(async () => {
  await world.kernel.database.execute(sql`delete from mail_queue`);
  server.behave('accept');
  server.accepted.length = 0;
});

function startWorker(owner = 'worker'): MailWorker {
  const worker = startMail(world.kernel, owner);
  onTestFinished(worker.stop);
  return worker;
}
const rows = () => world.kernel.database.query<Record<string, unknown>>(sql`select * from mail_queue order by id`);
const queue = (to: string, subject = 'Hello') =>
  world.work((env) => queueMail(env, composeMail({ to, subject, paragraphs: ['Good day.'] })));

describe('MAI-1 the queue', () => {
  it.each([
    'a@example.com, b@example.com',
    'a@example.com;b@example.com',
    'Ada <a@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    'nobody',
    '"a@x"@example.com',
    'group: a@example.com',
  ])('MAI-7 %j is no recipient', async (to) => {
    await expect(queue(to)).rejects.toMatchObject({ code: 'USER_ERROR', message: `${to} is not one e-mail address.` });
    const people = world.work((env) => env.model('core.user').write([1], { email: to }));
    await expect(people).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('MAI-7 mail that got in otherwise goes to nobody but the one address', async () => {
    await queue('real@example.com');
    await world.kernel.database.execute(sql`update mail_queue set recipient = 'a@example.com, b@example.com'`);
    startWorker();
    await vi.waitFor(async () => expect((await rows())[0]?.state).not.toBe('queued'), waiting);
    expect(server.accepted.join()).not.toMatch(/a@example.com, b@example.com/);
  });

  it('MAI-1 sends after the commit, at once, and not what was rolled back', async () => {
    startWorker();
    await expect(
      world.work(async (env) => {
        await queueMail(env, composeMail({ to: 'no@example.com', subject: 'Never', paragraphs: ['Never.'] }));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await queue('ingrid@example.com')).toBe(true);
    await vi.waitFor(() => expect(server.accepted).toHaveLength(1), waiting);
    expect(server.accepted[0]).toMatch(/To: ingrid@example.com/);
    await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'sent', attempts: 1 }), waiting);
    // What was sent is not kept: it may hold links that open an account.
    expect((await rows())[0]).toMatchObject({ body_text: null, body_html: null });
  });

  it('MAI-6 carries files and a way to answer, and forgets the files once it is sent', async () => {
    const content = Buffer.from('%PDF-1.7 hello');
    const attachments = [{ filename: 'Angebot Ü.pdf', contentType: 'application/pdf', content }];
    const to = 'ingrid@example.com';
    const paragraphs = ['Attached.'];
    await world.work((env) =>
      queueMail(env, composeMail({ to, subject: 'Offer', paragraphs, replyTo: 'aiko@example.com', attachments })),
    );
    startWorker();
    await vi.waitFor(() => expect(server.accepted).toHaveLength(1), waiting);
    const [mail = ''] = server.accepted;
    expect(mail).toMatch(/Reply-To: aiko@example.com/);
    expect(mail).toMatch(/Content-Type: application\/pdf/);
    expect(mail).toContain(content.toString('base64'));
    await vi.waitFor(
      async () => expect((await rows())[0]).toMatchObject({ state: 'sent', attachments: null }),
      waiting,
    );
    const tooLarge = [{ filename: 'x', contentType: 'text/plain', content: Buffer.alloc(16 * 1024 * 1024) }];
    await expect(
      world.work((env) => queueMail(env, composeMail({ to, subject: 'x', paragraphs, attachments: tooLarge }))),
    ).rejects.toMatchObject({ code: 'USER_ERROR' });
  });

  it('MAI-1 queues nothing where mail is not set up', async () => {
    const mail = composeMail({ to: 'a@example.com', subject: 'x', paragraphs: [] });
    const isQueued = await world.work((env) => {
      const state = workState(env.work) as WorkState;
      openState(env.work, { ...state, config: { ...state.config, smtpHost: '' } });
      return queueMail(env, mail);
    });
    expect(isQueued).toBe(false);
    expect(await rows()).toEqual([]);
  });

  it('MAI-2 is shared by workers without sending twice, and takes over from one that died', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => queue(`p${n}@example.com`)));
    await world.kernel.database.execute(sql`
      update mail_queue set state = 'sending', locked_by = 'dead', locked_until = now() - interval '1 second' where id % 4 = 0`);
    startWorker('one');
    startWorker('two');
    await vi.waitFor(async () => expect((await rows()).every((row) => row.state === 'sent')).toBe(true), waiting);
    const recipients = server.accepted.map((text) => /^To: (.*)$/m.exec(text)?.[1]);
    expect(new Set(recipients).size).toBe(40);
    expect(recipients).toHaveLength(40);
  });

  it('MAI-9 the handover is recorded before the server has a byte of the content', async () => {
    const seen: unknown[] = [];
    server.onContent = async () => {
      const [row] = await rows();
      seen.push([row?.state, row?.handed_at !== null]);
    };
    onTestFinished(() => {
      server.onContent = null;
    });
    await queue('recorded@example.com');
    startWorker();
    await vi.waitFor(async () => expect((await rows())[0]?.state).toBe('sent'), waiting);
    expect(seen).toEqual([['sending', true]]);
  });

  it('MAI-9 QUE-6 mail of a process that died is sent if it was not handed over, and shown to a person if it was', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => queue(`p${n}@example.com`)));
    await world.kernel.database.execute(sql`
      update mail_queue set state = 'sending', attempts = 1, locked_by = 'dead', locked_until = now() - interval '1 second',
        handed_at = case when id % 4 = 0 then now() end where id % 2 = 0`);
    startWorker('one');
    startWorker('two');
    await vi.waitFor(async () => {
      expect((await rows()).filter((row) => row.state === 'sent')).toHaveLength(30);
      expect((await rows()).filter((row) => row.state === 'unclear')).toHaveLength(10);
    }, waiting);
    expect(server.accepted).toHaveLength(30);
    const [first, second] = (await rows()).filter((row) => row.state === 'unclear').map((row) => row.id as number);
    await world.work((env) => env.model('mail.queue').call([first as number], 'mark_sent'));
    await world.work((env) => env.model('mail.queue').call([second as number], 'resend'));
    await vi.waitFor(async () => {
      expect((await rows()).filter((row) => row.state === 'sent')).toHaveLength(32);
    }, waiting);
    expect(server.accepted).toHaveLength(31);
  });

  it('MAI-9 a server that takes all of it and hangs up is not given it again by itself', async () => {
    server.behave('take and hang up');
    startWorker();
    await queue('twice@example.com');
    await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'unclear', attempts: 1 }), waiting);
    expect((await rows())[0]?.last_error).toMatch(/did not confirm it/);
    expect(server.accepted).toHaveLength(1);
  });

  it.each([
    // More than the connection buffers, so that the end of it cannot have been written.
    ['hangs up in the middle of the content', 'hang up on content', 'queued', 8 * 1024 * 1024],
    ['refuses the content', 'refuse content', 'dead', 1024],
  ] as const)('MAI-9 a server that %s does not have it', async (_what, mode, state, size) => {
    server.behave(mode);
    startWorker();
    const paragraphs = [randomBytes(size / 2).toString('hex')];
    await world.work((env) => queueMail(env, composeMail({ to: 'half@example.com', subject: 'Half', paragraphs })));
    const outcome = sql`select state, attempts, handed_at is not null as "isHanded" from mail_queue`;
    const asked = async () => (await world.kernel.database.query<{ isHanded: boolean }>(outcome))[0];
    await vi.waitFor(async () => expect(await asked()).toMatchObject({ state, attempts: 1 }), waiting);
    if (state === 'queued') expect((await asked())?.isHanded).toBe(false);
    expect(server.accepted).toEqual([]);
  });
});

describe('MAI-3 failures', () => {
  it('MAI-3 a refused recipient is a dead letter at once; the others are sent', async () => {
    server.behave('refuse recipient');
    startWorker();
    await queue('nobody@example.com');
    await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'dead', attempts: 1 }), waiting);
    expect((await rows())[0]?.last_error).toMatch(/No such mailbox/);
    server.behave('accept');
    await queue('somebody@example.com');
    await vi.waitFor(() => expect(server.accepted).toHaveLength(1), waiting);
  });

  it('MAI-3 a busy server gets it again later, ever more patiently', async () => {
    server.behave('busy');
    startWorker();
    await queue('later@example.com');
    await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'queued', attempts: 1 }), waiting);
    const [row] = await world.kernel.database.query<{ delay: number }>(
      sql`select extract(epoch from next_try - write_date)::float8 as delay from mail_queue`,
    );
    expect(row?.delay).toBeCloseTo(60, 0);
    server.behave('accept');
    await world.kernel.database.execute(sql`update mail_queue set next_try = now()`);
    // Another mail wakes the worker, which would look by itself a while later.
    await queue('now@example.com');
    await vi.waitFor(() => expect(server.accepted).toHaveLength(2), waiting);
    expect([1, 2, 3, 11].map(retryAfterMs)).toEqual([60_000, 120_000, 240_000, 14_400_000]);
  });

  it('MAI-3 a server that connects and says nothing is not waited for for ever', async () => {
    server.behave('silent');
    const worker = startMail(world.kernel, 'worker', { connectMs: 300, silenceMs: 300, mailMs: 1_000 });
    onTestFinished(worker.stop);
    await queue('patient@example.com');
    await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'queued', attempts: 1 }), waiting);
    expect((await rows())[0]?.last_error).toMatch(/greeting|timeout|too long/i);
  });

  it('MAI-3 a wrong login is the server’s matter, a refusal the mail’s', () => {
    const error = (code: string, responseCode?: number) => Object.assign(new Error(code), { code, responseCode });
    expect(classifyFailure(error('EAUTH', 535))).toMatchObject({ isServerAway: true, isFinal: false });
    expect(classifyFailure(error('ETIMEDOUT'))).toMatchObject({ isServerAway: true, isFinal: false });
    expect(classifyFailure(error('EENVELOPE', 550))).toMatchObject({ isServerAway: false, isFinal: true });
    expect(classifyFailure(error('EMESSAGE', 452))).toMatchObject({ isServerAway: false, isFinal: false });
  });
});

describe('MAI-4 dead letters', () => {
  it('MAI-4 administrators see them without their content and send them again', async () => {
    server.behave('refuse recipient');
    startWorker();
    await queue('nobody@example.com', 'A link for you');
    await vi.waitFor(async () => expect((await rows())[0]?.state).toBe('dead'), waiting);
    const person = await world.person('Piet');
    const mails = (actor = world.admin) =>
      world.work((env) => env.model('mail.queue').searchRead([['state', '=', 'dead']]), actor);
    await expect(mails(person)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const [dead] = await mails();
    expect(dead).toMatchObject({ recipient: 'nobody@example.com', subject: 'A link for you' });
    expect(dead).not.toHaveProperty('body_text');
    await expect(
      world.work((env) => env.model('mail.queue').read([dead?.id as number], ['body_html'])),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    server.behave('accept');
    await world.work((env) => env.model('mail.queue').call([dead?.id as number], 'resend'));
    await vi.waitFor(() => expect(server.accepted).toHaveLength(1), waiting);
    await vi.waitFor(async () => expect((await rows())[0]?.state).toBe('sent'), waiting);
    await expect(
      world.work((env) => env.model('mail.queue').call([dead?.id as number], 'resend')),
    ).rejects.toMatchObject({ code: 'USER_ERROR' });
  });
});

describe('MAI-5 the product’s own mails', () => {
  it('MAI-5 come in plain text and HTML, and nothing in them is taken as HTML', async () => {
    const link = 'https://erp.example.com/web/reset-password?token=a&b="c"';
    const person = { email: 'ingrid@example.com', lang: 'en_US', companyId: 1, link };
    const ingrid = { ...person, name: '<b>Ingrid</b>', login: 'ingrid', company: 'Nordlicht & Co' };
    const reset = await world.work((env) => resetMail(env, ingrid));
    expect(reset.text).toContain(link);
    expect(reset.html).toContain('href="https://erp.example.com/web/reset-password?token=a&amp;b=&quot;c&quot;"');
    const invitation = await world.work((env) => invitationMail(env, ingrid));
    expect(invitation.subject).toBe('Nordlicht & Co invites you to Kontor');
    expect(invitation.html).toContain('Hello &lt;b&gt;Ingrid&lt;/b&gt;,');
    expect(invitation.text).toContain('Hello <b>Ingrid</b>,');
    expect(composeMail({ to: 'x', subject: 'a\r\nBcc: all', paragraphs: [] }).subject).toBe('a Bcc: all');
  });
});

describe('MAI-3 a server that is away', () => {
  it('MAI-3 a server that is away or says nothing stops the worker for a while and costs the other mails no try', async () => {
    await server.close();
    await Promise.all(Array.from({ length: 12 }, (_, n) => queue(`p${n}@example.com`)));
    const worker = startWorker();
    await vi.waitFor(async () => expect((await rows()).some((row) => row.attempts === 1)).toBe(true), waiting);
    await vi.waitFor(async () => expect((await rows()).every((row) => row.state === 'queued')).toBe(true), waiting);
    expect((await rows()).filter((row) => row.attempts === 0).length).toBeGreaterThanOrEqual(8);
    await worker.stop();
  });
});

it('MAI-10 a password that is kept is not sent to a server that is named later, nor in the clear', async () => {
  const servers = (values: Readonly<Record<string, unknown>>, id?: number) =>
    world.work(async (env) => {
      const model = env.model('sys.mail.server');
      return id === undefined ? model.create(values) : model.write([id], values);
    });
  const given = { host: 'smtp.example.com', port: 587, tls: 'starttls' };
  const active = { active: false, sender: 'kontor@example.com', username: 'kontor' };
  const id = Number(await servers({ ...given, ...active, new_password: 's3cret' }));
  const kept = async () => {
    const read = await world.work((env) =>
      env.sudo().model('sys.mail.server').read([id], ['password', 'has_password']),
    );
    return [read[0]?.password, read[0]?.has_password];
  };
  await servers({ ...given, username: 'other' }, id);
  expect(await kept()).toEqual(['s3cret', true]);
  for (const values of [{ host: 'smtp.evil.test' }, { port: 25 }, { tls: 'none' }]) {
    await servers(values, id);
    expect(await kept()).toEqual([null, false]);
    await servers({ ...given, new_password: 's3cret' }, id);
    expect(await kept()).toEqual(['s3cret', true]);
  }
});
