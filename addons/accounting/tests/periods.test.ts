import { sql } from '@kontor/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Books, draft, openBooks, pay, post, refusal } from './books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
  for (const month of ['01', '02', '03']) await post(books, [['100', []]], { invoice_date: `2024-${month}-10` });
});
afterAll(() => books.close());

const period = (name: string) =>
  books.run(async (env) => (await env.model('accounting.period').search([['name', '=', name]]))[0] ?? 0);
const close = async (...names: string[]) => {
  const ids = await Promise.all(names.map(period));
  await books.run((env) => env.model('accounting.period').call(ids, 'close'), books.accountant);
};
const reopen = async (name: string, reason: string | null, actor = books.manager) => {
  const id = await period(name);
  await books.run((env) => env.model('accounting.period').call([id], 'reopen', { reason } as never), actor);
};

it('BKS-6 a period closes when it has ended, without drafts, and after those before it', async () => {
  expect((await refusal(close('2024-02'))).message).toContain('Close 2024-01 first.');
  const open = await draft(books, [['5', []]], { invoice_date: '2024-01-31' });
  expect((await refusal(close('2024-01'))).message).toContain('Post or cancel the drafts of 2024-01 first');
  await books.run((env) => env.model('invoice.invoice').call([open], 'cancel'), books.clerk);
  await close('2024-01', '2024-02');
  await post(books, [['5', []]]);
  const now = await books.run(async (env) => {
    const today = env.now.toISOString();
    return env.model('accounting.period').searchRead([['date_from', '<=', `${today.slice(0, 7)}-01`]], ['name'], {
      order: '-date_from',
      limit: 1,
    });
  });
  expect((await refusal(close(String(now[0]?.name)))).message).toContain('has not ended yet');
});

it('BKS-5 nothing is booked into a closed period, on any way in', async () => {
  const late = await draft(books, [['5', []]], { invoice_date: '2024-02-10' });
  const open = await post(books, [['100', []]], { invoice_date: '2024-03-15' });
  for (const way of [
    () => books.run((env) => env.model('invoice.invoice').call([late], 'post'), books.clerk),
    () => books.run((env) => env.model('invoice.invoice').write([late], { state: 'posted' }), books.clerk),
    () => pay(books, open, { date: '2024-02-28' }),
    () => post(books, [['5', []]], { invoice_date: '2024-01-01' }),
    () => post(books, [['5', []]], { invoice_date: '2021-05-01' }),
  ]) {
    expect((await refusal(way())).message).toContain('is closed');
  }
  const [row] = await books.run((env) => env.model('invoice.invoice').read([late], ['state', 'name']));
  expect(row).toMatchObject({ state: 'draft', name: null });
});

it('BKS-6 managers reopen a period, the last one first, with a reason that is kept', async () => {
  expect((await refusal(reopen('2024-02', 'A late invoice', books.accountant))).message).toContain('Only managers');
  expect((await refusal(reopen('2024-01', 'A late invoice'))).message).toContain('Reopen 2024-02 first.');
  expect((await refusal(reopen('2024-02', null))).code).toBe('VALIDATION_ERROR');
  const id = await period('2024-02');
  const plain = books.run((env) => env.model('accounting.period').write([id], { state: 'open' }), books.manager);
  expect((await refusal(plain)).message).toContain('Say why');
  await reopen('2024-02', 'A late invoice');
  await books.run(async (env) => {
    const drafts = [['state', '=', 'draft']] as const;
    const late = await env.model('invoice.invoice').search([...drafts, ['invoice_date', '=', '2024-02-10']]);
    await env.model('invoice.invoice').call(late, 'post');
    await env.model('invoice.invoice').call(await env.model('invoice.invoice').search([...drafts]), 'cancel');
  }, books.clerk);
  const history = await books.run((env) =>
    env
      .sudo()
      .model('mail.message')
      .searchRead(
        [
          ['model', '=', 'accounting.period'],
          ['res_id', '=', id],
        ],
        ['body', 'tracking'] as never,
      ),
  );
  expect(JSON.stringify(history)).toContain('A late invoice');
  await close('2024-02');
});

it('BKS-5 also if it is being closed at the same time', async () => {
  const late = await draft(books, [['5', []]], { invoice_date: '2024-03-20' });
  const march = await period('2024-03');
  await books.run((env) => env.model('invoice.invoice').write([late], { invoice_date: '2024-04-20' }), books.clerk);
  let posting: Promise<string> | undefined;
  let hasWaited = false;
  await books.run(async (env) => {
    await env.model('accounting.period').call([march], 'close');
    posting = books
      .run(async (other) => {
        await other.model('invoice.invoice').write([late], { invoice_date: '2024-03-20' });
        await other.model('invoice.invoice').call([late], 'post');
        return 'posted';
      }, books.clerk)
      .catch((error: Error) => error.message);
    hasWaited = await waitsBeforeItEnds(posting);
  }, books.accountant);
  expect(hasWaited).toBe(true);
  expect(await posting).toContain('closed');
});

/** Whether some statement of this database waits for a lock before the work is done. */
async function waitsBeforeItEnds(work: Promise<unknown>): Promise<boolean> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`;
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const rows = await books.work((env) => env.db.query(waiting));
    if (rows.length > 0) return true;
  }
  return false;
}

it('BKS-6 months before it in which nothing was booked are closed with it', async () => {
  await post(books, [['5', []]], { invoice_date: '2025-06-10' });
  await books.run(async (env) => {
    const invoices = env.model('invoice.invoice');
    await invoices.call(await invoices.search([['state', '=', 'draft']]), 'cancel');
  }, books.clerk);
  const until = [['date_to', '<=', '2025-06-30']] as const;
  const rows = () =>
    books.run((env) =>
      env.model('accounting.period').searchRead([...until], ['name', 'state', 'entry_count', 'closed_by_id.name']),
    );
  const booked = (await rows()).filter(({ state, entry_count: entries }) => state === 'open' && entries > 0);
  if (booked.length > 1) expect((await refusal(close('2025-06'))).message).toMatch(/Close 20\d\d-\d\d first/);
  await close(...booked.map(({ name }) => String(name)));
  const after = await rows();
  expect(after.filter(({ state }) => state === 'open')).toEqual([]);
  expect(after.find(({ name }) => name === '2025-05')).toMatchObject({
    ...{ entry_count: 0, 'closed_by_id.name': 'Anna Accountant' },
  });
});
