import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { confirm, counts, stage } from './import/upload-csv.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs/cookbook.md'), 'utf8');
const folder = join(mkdtempSync(join(tmpdir(), 'kontor-cookbook-')), 'rental');
for (const [, name = '', text = ''] of page.matchAll(/^`([^`\n]+)`\n```\w+\n([\s\S]*?)^```$/gm)) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

let world: TestServer;
let browser: Browser;
let mail: MailServer;
let customer: number;
beforeAll(async () => {
  mail = await startMailServer();
  const env = {
    KONTOR_SMTP_HOST: '127.0.0.1',
    KONTOR_SMTP_PORT: String(mail.port),
    KONTOR_SMTP_FROM: 'rental@example.com',
    KONTOR_SMTP_TLS: 'none',
  };
  world = await startTestServer({ addonsPath: [folder], modules: ['rental'], env });
  browser = await world.signedIn();
  const values = { name: 'Nora & Søn', email: 'nora@example.com', lang: 'de_DE' };
  customer = await browser.rpc<number>('core.partner', 'create', [values]);
});
afterAll(async () => {
  await world?.close();
  await mail?.close();
  rmSync(dirname(folder), { recursive: true, force: true });
});

const tool = (values: object = {}) =>
  browser.rpc<number>('rental.tool', 'create', [{ name: 'Drill <X>', pieces: 2, day_price: 9.9955, ...values }]);
const book = (toolId: number, values: object = {}) =>
  browser.rpc<number>('rental.booking', 'create', [
    { tool_id: toolId, partner_id: customer, date_from: '2026-03-01', date_to: '2026-03-03', ...values },
  ]);
const read = async (id: number, ...fields: string[]) =>
  (await browser.rpc<Record<string, unknown>[]>('rental.booking', 'read', [[id], fields]))[0];
const failure = async (values: object, model = 'rental.booking') =>
  Browser.errorOf(await browser.json('/api/rpc', { model, method: 'create', args: [values] }));

describe('REF-5 the cookbook', () => {
  long('has ten recipes, and nothing that kontor check objects to', () => {
    expect(page.match(/^## \d+\. /gm)).toHaveLength(10);
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/kontor.mjs'), 'check', '--no-types'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KONTOR_ADDONS_PATH: '', KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN },
    });
    expect(`${stdout}${stderr}`).toContain('rental: no error');
  });

  it('1. asks before it extends a booking, and checks the answer', async () => {
    const id = await book(await tool());
    const call = (days: string) =>
      browser.json('/api/rpc', { model: 'rental.booking', method: 'call', args: [id, 'action_extend', { days }] });
    expect(await Browser.errorOf(await call('91'))).toMatchObject({ code: 'VALIDATION_ERROR' });
    await call('7');
    expect(await read(id, 'date_to')).toEqual({ id, date_to: '2026-03-10' });
    const kwargs = { action: 'action_extend', active_ids: [id] };
    const { value } = await browser.rpc<{ value: object }>('rental.booking', 'onchange', [{}, []], kwargs);
    expect(value).toEqual({ days: 7 });
  });

  it('2. rejects the second of two bookings of the last piece, also at the same time', async () => {
    const toolId = await tool({ pieces: 1 });
    const values = { tool_id: toolId, partner_id: customer, date_from: '2026-03-01', date_to: '2026-03-03' };
    const both = await Promise.all(
      [1, 2].map(() => browser.json('/api/rpc', { model: 'rental.booking', method: 'create', args: [values] })),
    );
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses[1]).toBeGreaterThanOrEqual(400);
    expect(await failure(values)).toMatchObject({
      details: { fields: { pieces: ['Not that many pieces of this tool are there.'] } },
    });
  });

  it('3. rounds amounts once, to the places of the currency', async () => {
    const id = await book(await tool());
    // 9.9955 for three days is 29.9865; rounded each day it would be 30.00.
    expect(await read(id, 'amount')).toEqual({ id, amount: 29.99 });
  });

  it('4. keeps bookings and tools in their company', async () => {
    const other = await world.work(async (env) => {
      const companies = env.sudo().model('core.company');
      const [main] = await companies.searchRead([], ['currency_id'], { limit: 1 });
      return companies.create({ name: 'Other', currency_id: main?.currency_id });
    });
    const foreign = await world.work((env) =>
      env.sudo().model('rental.tool').create({ name: 'Saw', company_id: other }),
    );
    expect(await browser.rpc('rental.tool', 'search_read', [[['id', '=', foreign]], ['name']])).toEqual([]);
    const values = { tool_id: foreign, partner_id: customer, date_from: '2026-03-01', date_to: '2026-03-03' };
    await expect(world.work((env) => env.sudo().model('rental.booking').create(values))).rejects.toThrow(
      'belongs to another company',
    );
  });

  it('5. imports serial numbers from a column of another name, in one format', async () => {
    const batch = await stage(browser, 'Name,S/N,Pieces\nSander,ab-12 34,3\nPlaner,AB.99,1\n', {
      model: 'rental.tool',
    });
    expect(counts(await confirm(browser, batch))).toBe('imported_2_updated_0_skipped_0');
    const found = await browser.rpc('rental.tool', 'search_read', [[['name', 'in', ['Sander', 'Planer']]], ['serial']]);
    expect(found).toMatchObject([{ serial: 'AB99' }, { serial: 'AB1234' }]);
    expect(await failure({ name: 'Twin', serial: 'a b 9-9' }, 'rental.tool')).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('6. and 7. reminds customers of what is over, by a job with a schedule', async () => {
    const values = { name: 'Late', email: 'late@example.com', lang: 'de_DE' };
    const late = await browser.rpc<number>('core.partner', 'create', [values]);
    await book(await tool(), { partner_id: late, date_from: '2026-01-01', date_to: '2026-01-05' });
    const crons = await browser.rpc('sys.cron', 'search_read', [[['handler', '=', 'rental.remind']], ['expression']]);
    expect(crons).toMatchObject([{ expression: '0 7 * * *' }]);
    const job = world.kernel.loaded.definitions.get('rental')?.jobs.find(({ name }) => name === 'remind');
    await world.act(async (env) => job && 'run' in job && (await job.run({ env: env.sudo(), cronId: 1 })));
    const text = await mail.mailTo('late@example.com');
    expect(text).toContain('Subject: Drill <X> was due on 05.01.2026');
    expect(text).toContain('please bring Drill <X> back.');
  });

  long('8. prints a contract for those who may read it', async () => {
    const id = await book(await tool());
    const answer = await browser.json('/api/rpc', {
      model: 'rental.booking',
      method: 'call',
      args: [id, 'action_print'],
    });
    const { result } = (await answer.json()) as { result: { redirect: string } };
    const pdf = await browser.get(result.redirect);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await world.browser().get(result.redirect)).status).not.toBe(200);
  });

  it('9. shows a customer their booking by a secret link, and nobody else', async () => {
    const id = await book(await tool());
    const { token } = (await read(id, 'token')) ?? {};
    const visitor = world.browser();
    const shown = await (await visitor.get(`/rental/status/${token}`)).text();
    expect(shown).toContain('Drill &lt;X></h1><p>Please return it by 2026-03-03.');
    expect((await visitor.get('/rental/status/00000000-0000-0000-0000-000000000000')).status).toBe(404);
    expect(await failure({ tool_id: 1, token: 'mine' })).toMatchObject({ code: expect.any(String) });
  });

  long('10. shows the bookings in the form of a contact', async () => {
    const { stdout } = spawnSync(process.execPath, [join(root, 'bin/kontor.mjs'), 'view', 'base.partner_form'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KONTOR_ADDONS_PATH: '', KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN },
    });
    expect(stdout).toMatch(
      /name="rental_booking_ids".*rental: views\/30-partner\.xml:5 \(rental\.partner_form_rental\)/,
    );
    const [found] = await browser.rpc<{ rental_booking_ids: number[] }[]>('core.partner', 'read', [
      [customer],
      ['rental_booking_ids'],
    ]);
    expect(found?.rental_booking_ids.length).toBeGreaterThan(3);
  });
});
