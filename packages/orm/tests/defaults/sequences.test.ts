import { ident, sql } from '@kontor/database';
import { createEnv, type Env, nextNumbers } from '@kontor/orm';
import { expectQueries, type TestWorld, testActor } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look, makeOrder, openTrade, refusal } from '../computing/trade.ts';

let trade: TestWorld;
beforeAll(async () => {
  trade = await openTrade();
});
afterAll(() => trade.drop());

let codes = 0;
async function makeSequence(values: Record<string, unknown> = {}): Promise<{ code: string; id: number }> {
  const code = `test.${++codes}`;
  const id = await trade.transact((env) => env.model('sys.sequence').create({ name: code, code, ...values }));
  return { code, id };
}

const draw = (code: string, count = 1) => trade.transact((env) => nextNumbers(env, code, count));
const values = (numbers: readonly (readonly string[])[]) =>
  numbers
    .flat()
    .map(Number)
    .toSorted((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('sequences', () => {
  it('CMP-6 sequence numbers records with prefix, suffix and padding, also across an increment', async () => {
    const { code } = await makeSequence({ prefix: 'A', suffix: '/x', padding: 4, number_next: 8, number_increment: 5 });
    expect(await draw(code, 2)).toEqual(['A0008/x', 'A0013/x']);
    expect(await draw(code)).toEqual(['A0018/x']);
  });

  it('CMP-6 sequence fills dates in the time zone of the user', async () => {
    const { code } = await makeSequence({ prefix: '%(year)s-%(month)s-%(day)s/' });
    const now = new Date('2026-12-31T23:30:00Z');
    const numbers = await trade.database.transaction((tx) => {
      const actor = testActor({ tz: 'Europe/Berlin' });
      const env = createEnv({ registry: trade.registry, db: tx, actor, policy: trade.env.policy, now });
      return nextNumbers(env, code, 1);
    });
    expect(numbers).toEqual(['2027-01-01/1']);
  });

  it('CMP-6 sequence of the company goes before the shared one', async () => {
    const company_id = await trade.transact((env) => env.model('core.company').create({ name: 'C' }));
    const { code } = await makeSequence({ prefix: 'shared' });
    await trade.transact((env) => env.model('sys.sequence').create({ name: 'own', code, prefix: 'own', company_id }));
    const drawIn = (companyId: number | null) =>
      trade.database.transaction((tx) => nextNumbers(trade.as({ companyId }, tx), code, 1));
    expect([await drawIn(company_id), await drawIn(null), await drawIn(company_id)]).toEqual([
      ['own1'],
      ['shared1'],
      ['own2'],
    ]);
  });

  it('CMP-6 sequence that does not exist is told by its code', async () => {
    const refused = await refusal(draw('no.such'));
    expect(refused).toMatchObject({ code: 'USER_ERROR' });
    expect(refused.message).toContain('"no.such"');
  });

  it('CMP-6 sequence as a default is drawn once for a batch, and only where no value was given', async () => {
    await trade.transact(async (env) => {
      const partner_id = await env.model('trade.partner').create({ name: 'Ada' });
      await nextNumbers(env, 'trade.order', 1);
      const rows = Array.from({ length: 50 }, (_, i) => (i === 7 ? { partner_id, number: 'mine' } : { partner_id }));
      const before = env.db.statements;
      const ids = await env.model('trade.order').createMany(rows);
      expect(env.db.statements - before).toBeLessThanOrEqual(10);
      const numbers = (await env.model('trade.order').read(ids, ['number'])).map((order) => order.number as string);
      expect(new Set(numbers).size).toBe(50);
      expect(numbers[7]).toBe('mine');
      const drawn = numbers.filter((number) => number !== 'mine').map((number) => Number(number.slice(2)));
      expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
    });
  });

  it('CMP-6 sequence without gapless never waits for another writer, and a rollback loses numbers', async () => {
    const { code } = await makeSequence();
    await draw(code);
    const order: string[] = [];
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const slow = trade.transact(async (env) => {
      order.push(`slow ${await nextNumbers(env, code, 1)}`);
      await left;
      throw new Error('gone');
    });
    const slowEnd = slow.catch(() => order.push('slow gone'));
    while (order.length === 0) await new Promise((resolve) => setImmediate(resolve));
    order.push(`quick ${await draw(code)}`);
    leave();
    await slowEnd;
    order.push(`later ${await draw(code)}`);
    expect(order).toEqual(['slow 2', 'quick 3', 'slow gone', 'later 4']);
  });

  it('CMP-6 gapless gives numbers without gaps to parallel writers, also when some roll back', async () => {
    const { code } = await makeSequence({ gapless: true });
    const attempt = (fails: boolean) => async (env: Env) => {
      const numbers = await nextNumbers(env, code, 3);
      if (fails) throw new Error('rolled back');
      return numbers;
    };
    const tries = Array.from({ length: 24 }, (_, i) => trade.transact(attempt(i % 3 === 0)).catch(() => []));
    expect(values(await Promise.all(tries))).toEqual(upTo(48));
    expect(await draw(code)).toEqual(['49']);
  });

  it('CMP-16 a yearly sequence counts each year and company for itself, without gaps, whoever draws first', async () => {
    const { code, id } = await makeSequence({ yearly: true, prefix: '%(year)s/', padding: 3 });
    const company = await trade.transact((env) => env.model('core.company').create({ name: 'Yearly' }));
    const drawIn = (companyId: number | null, date: string, fails = false) =>
      trade
        .transact(async (env) => {
          const numbers = await nextNumbers(env, code, 1, companyId, date);
          if (fails) throw new Error('rolled back');
          return numbers;
        })
        .catch(() => []);
    const tries = Array.from({ length: 12 }, (_, i) => drawIn(null, i % 2 ? '2025-12-31' : '2026-01-01', i % 6 < 2));
    expect((await Promise.all(tries)).flat().sort()).toEqual(
      ['2025', '2026'].flatMap((year) => [1, 2, 3, 4].map((at) => `${year}/00${at}`)),
    );
    expect(await drawIn(company, '2026-07-01')).toEqual(['2026/001']);
    expect(await drawIn(null, '2026-07-01')).toEqual(['2026/005']);
    expect(await look(trade.env, 'sys.sequence', id, 'number_next', 'year')).toEqual({ number_next: 1, year: null });
  });

  it('CMP-6 sequence counts on when it is switched to gapless and back', async () => {
    const { code, id } = await makeSequence();
    await draw(code, 4);
    await trade.transact((env) => env.model('sys.sequence').write([id], { gapless: true }));
    expect(await draw(code, 2)).toEqual(['5', '6']);
    expect(await look(trade.env, 'sys.sequence', id, 'number_next')).toEqual({ number_next: 7 });
    await trade.transact((env) => env.model('sys.sequence').write([id], { gapless: false }));
    expect(await draw(code, 2)).toEqual(['7', '8']);
  });

  it('CMP-6 sequence starts anew where its row is set', async () => {
    const { code, id } = await makeSequence();
    await draw(code, 4);
    await trade.transact((env) => env.model('sys.sequence').write([id], { number_next: 100, number_increment: 10 }));
    expect(await draw(code, 2)).toEqual(['100', '110']);
  });

  it('CMP-6 sequence is made once when many writers meet at a new one', async () => {
    const { code, id } = await makeSequence();
    await trade.database.execute(sql`drop sequence ${ident(`sys_sequence_${id}`)}`);
    const drawn = await Promise.all(Array.from({ length: 10 }, () => draw(code, 2)));
    expect(values(drawn)).toEqual(upTo(20));
    await trade.transact((env) => expectQueries(env.db, 1, () => nextNumbers(env, code, 100)));
  });

  it('CMP-5 default: a created order has its number and today', async () => {
    await trade.transact(async (env) => {
      const order = await makeOrder(env);
      const seen = await look(env, 'trade.order', order, 'number', 'date', 'state', 'active');
      expect(seen).toEqual({
        number: expect.stringMatching(/^SO\d+$/),
        date: env.now.toISOString().slice(0, 10),
        state: 'draft',
        active: true,
      });
    });
  });
});
