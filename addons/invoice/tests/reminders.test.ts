import { createHash } from 'node:crypto';
import { startMail } from '@kontor/parts';
import { pdfPages, startMailServer, type TestMailServer } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dueStep } from '../reminders/send-reminders.ts';
import { type Desk, look, openDesk, postInvoice, refusal } from './desk.ts';

const waiting = { timeout: 120_000, interval: 20 };
let server: TestMailServer;
let desk: Desk;
let worker: ReturnType<typeof startMail>;
beforeAll(async () => {
  server = await startMailServer();
  desk = await openDesk({
    KONTOR_SMTP_HOST: '127.0.0.1',
    KONTOR_SMTP_PORT: String(server.port),
    KONTOR_SMTP_FROM: 'Nordlicht <office@nordlicht.example>',
    KONTOR_SMTP_TLS: 'none',
  });
  worker = startMail(desk.kernel, 'worker');
});
afterAll(async () => {
  await worker.stop();
  await desk.close();
  await server.close();
});

const line_ids = [['create', { name: 'Work', price_unit: '100', tax_ids: [] }]] as const;
const late = (values: object = {}) =>
  postInvoice(desk, { line_ids, invoice_date: '2026-01-05', due_date: '2026-01-19', ...values });
const remind = (ids: readonly number[], actor = desk.clerk) =>
  desk.run((env) => env.model('invoice.invoice').call(ids, 'send_reminders'), actor);
const step = async (id: number) => (await look(desk, 'invoice.invoice', id, 'reminder_step')).reminder_step;
const sent = (id: number) =>
  desk.run((env) => env.model('invoice.reminder').searchRead([['invoice_id', '=', id]], ['step', 'document_id']));

describe('reminders', () => {
  it('INV-37 each step is due after its days, and after the days since the step before', () => {
    const company_id = { id: 1, invoice_reminder_1: 7, invoice_reminder_2: 21, invoice_reminder_3: 35 };
    const owed = { type: 'invoice', payment_state: 'overdue', due_date: '2026-03-01' } as const;
    const open = { ...owed, id: 1, no_reminders: false, company_id };
    const on = (today: string, ...sent: { step: number; date: string }[]) =>
      dueStep({ ...open, reminder_ids: sent.map((each, id) => ({ ...each, id })) }, today);
    const first = { step: 1, date: '2026-03-08' };
    expect([on('2026-03-07'), on('2026-03-08')]).toEqual([0, 1]);
    expect([on('2026-03-21', first), on('2026-03-22', first)]).toEqual([0, 2]);
    // A first reminder that was sent late leaves the customer fourteen days.
    const lateFirst = { step: 1, date: '2026-04-30' };
    expect([on('2026-05-13', lateFirst), on('2026-05-14', lateFirst)]).toEqual([0, 2]);
    expect(on('2027-01-01', first, { step: 2, date: '2026-03-22' }, { step: 3, date: '2026-04-05' })).toBe(0);
    const others = [{ payment_state: 'paid' }, { no_reminders: true }, { type: 'credit' }, { due_date: null }] as const;
    for (const values of others) {
      expect(dueStep({ ...open, ...values, reminder_ids: [] }, '2026-12-01')).toBe(0);
    }
  });

  it('INV-38 are listed, mailed for many at once in the customer’s language, and archived', async () => {
    const partner_id = await desk.run((env) =>
      env.model('core.partner').create({ name: 'Hafenkante GmbH', email: 'post@hafenkante.example', lang: 'de_DE' }),
    );
    const ids = [await late({ partner_id }), await late()];
    expect(await Promise.all(ids.map(step))).toEqual([1, 1]);
    const listed = await desk.run(
      (env) => env.model('invoice.invoice').search([['reminder_step', '>', 0]]),
      desk.clerk,
    );
    expect(listed).toEqual(expect.arrayContaining(ids));
    await remind(ids);
    expect(await Promise.all(ids.map(step))).toEqual([0, 0]);
    expect(await sent(ids[0] as number)).toMatchObject([{ step: 1, document_id: expect.any(Number) }]);
    const mail = await vi.waitFor(() => {
      const found = server.accepted.find((each) => each.includes('To: post@hafenkante.example'));
      if (found === undefined) throw new Error('There is no mail.');
      return found;
    }, waiting);
    expect(mail).toContain('Subject: Zahlungserinnerung');
  });

  it('INV-39 are never sent twice for the same step, also by two at once, nor without need', async () => {
    const id = await late();
    const both = await Promise.all(
      [1, 2].map(() =>
        remind([id]).then(
          () => 'sent',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(both.filter((each) => each === 'sent')).toHaveLength(1);
    expect(both.find((each) => each !== 'sent')).toMatch(/sent already|No reminder is due/);
    expect(await sent(id)).toHaveLength(1);
    expect((await refusal(remind([id]))).message).toContain('No reminder is due');
    const quiet = await late();
    await desk.run((env) => env.model('invoice.invoice').write([quiet], { no_reminders: true }), desk.clerk);
    expect(await step(quiet)).toBe(0);
    expect((await refusal(remind([await late()], desk.seller))).code).toBe('ACCESS_DENIED');
    const byHand = desk.run((env) => env.model('invoice.reminder').create({ invoice_id: id, step: 2 }), desk.manager);
    expect((await refusal(byHand)).code).toBe('ACCESS_DENIED');
  });

  it('INV-62 are printed for customers without an e-mail address, who stop nobody else', async () => {
    const nobody = await desk.run((env) =>
      env.model('core.partner').create({ name: 'Nils Ohne', street: 'Weg 7', city: 'Kiel', lang: 'de_DE' }),
    );
    const [mailed, silent] = [await late(), await late({ partner_id: nobody })];
    const answer = (await remind([mailed, silent])) as unknown as { redirect: string };
    const [reminder] = await sent(silent);
    const letter = reminder?.document_id as number;
    expect(answer.redirect).toContain('invoice.documents');
    expect(decodeURIComponent(answer.redirect)).toContain(`[${letter}]`);
    expect(await sent(mailed)).toMatchObject([{ step: 1 }]);
    const { data, sha256, recipient, kind } = await look(
      desk,
      'invoice.document',
      letter,
      ...['data', 'sha256', 'recipient', 'kind'],
    );
    const pdf = Buffer.from(String(data), 'base64');
    expect([recipient, kind, sha256]).toEqual([null, 'reminder', createHash('sha256').update(pdf).digest('hex')]);
    const words = pdfPages(pdf).flat().join(' ');
    const { name } = await look(desk, 'invoice.invoice', silent, 'name');
    for (const each of ['Nils Ohne', 'Weg 7', 'Zahlungserinnerung', String(name)]) expect(words).toContain(each);
  });
});
