import { type Sql, sql } from '@kontor/database';
import { addEvent } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, currentPosition, type PublishedEvent, readEvents, readOverGap } from '../events/read-events.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

const ask: Ask = (statement) => world.kernel.database.query(statement);
const own = sql`pg_current_xact_id()::text::numeric`;
const publish = (channel: string, xact: Sql = own) =>
  world.kernel.database.execute(sql`insert into sys_outbox (channel, payload, xact, create_date)
    values (${channel}, '{}', ${xact}, now())`);

describe('EVT-10 the outbox', () => {
  it('EVT-10 rows of a restored backup are no news, whatever transactions they name', async () => {
    const start = await currentPosition(ask);
    for (const ahead of [3, 1_000_000]) await publish('restored', sql`${own} + ${ahead}`);
    await world.kernel.database.transaction((tx) =>
      tx.savepoint(async () => {
        await tx.execute(
          sql`insert into sys_outbox (channel, payload, xact, create_date) values ('in a savepoint', '{}', ${own}, now())`,
        );
      }),
    );
    const heard: string[] = [];
    const hand = (events: readonly PublishedEvent[]): void => void heard.push(...events.map(({ channel }) => channel));
    const next = await readEvents(ask, start, hand);
    // The numbers of transactions grow past the three that were ahead.
    for (let count = 0; count < 4; count++) await publish(`own ${count}`);
    await readEvents(ask, next, hand);
    expect(heard).toEqual(['in a savepoint', 'own 0', 'own 1', 'own 2', 'own 3']);
  });

  it('EVT-10 record events come from the change log, before messages, each record once a transaction', async () => {
    const start = await currentPosition(ask);
    const [company] = await world.work((env) => env.model('core.company').search([]));
    const [kept, gone] = await world.work(async (env) => {
      const partners = env.model('core.partner');
      const ids = [
        await partners.create({ name: 'Kept', company_id: company }),
        await partners.create({ name: 'Gone' }),
      ];
      await partners.write(ids, { phone: '1' });
      await partners.unlink([ids[1] as number]);
      addEvent(env, { channel: 'told.too', payload: { n: 1 } });
      return ids;
    });
    await world.work((env) => env.model('core.partner').write([kept as number], { phone: '2' }));
    const heard: PublishedEvent[] = [];
    await readEvents(ask, start, (events) => void heard.push(...events));
    const model = 'core.partner';
    expect(heard).toMatchObject([
      { channel: 'record.created', payload: { model, id: kept }, model, companyId: company, userId: null },
      { channel: 'record.deleted', payload: { model, id: gone }, model },
      { channel: 'record.updated', payload: { model, id: kept }, model, companyId: company },
      { channel: 'told.too', payload: { n: 1 }, model: null, companyId: null },
    ]);
  });

  long('EVT-10 more changes and messages than a page are told once each', async () => {
    const start = await currentPosition(ask);
    const count = 2_300;
    const ids = await world.work(async (env) => {
      for (let n = 0; n < count; n++) addEvent(env, { channel: 'many', payload: { n } });
      return env
        .model('core.partner')
        .createMany(Array.from({ length: count + 2_000 }, (_, n) => ({ name: `Many ${n}` })));
    });
    const heard: PublishedEvent[] = [];
    await readEvents(ask, start, (events) => void heard.push(...events));
    const of = (channel: string) => heard.filter((event) => event.channel === channel).map(({ payload }) => payload);
    expect(of('record.created').map(({ id }) => id)).toEqual(ids);
    expect(of('many').map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, n) => n));
  });

  it('EVT-10 a change writes two rows of the log, and no message', async () => {
    const counts = () =>
      world.kernel.database.query<Record<string, number>>(sql`
        select (select count(*)::int4 from sys_change_set) as sets, (select count(*)::int4 from sys_change) as changes,
          (select count(*)::int4 from sys_outbox) as messages`);
    const [before] = await counts();
    const id = await world.work((env) => env.model('core.partner').create({ name: 'Counted' }));
    await world.kernel.changeAtOnce(
      world.admin,
      'core.partner',
      { operation: 'write', id, values: { comment: 'by one statement' }, base: null },
      {},
    );
    const [after] = await counts();
    const grown = (name: string) => (after?.[name] ?? 0) - (before?.[name] ?? 0);
    expect(['sets', 'changes', 'messages'].map(grown)).toEqual([2, 2, 0]);
  });

  it('EVT-10 over a gap each event is told once; of another history none is', async () => {
    const start = await currentPosition(ask);
    await publish('first');
    const heard: string[] = [];
    const hand = (events: readonly PublishedEvent[]): void => void heard.push(...events.map(({ channel }) => channel));
    const next = await readEvents(ask, start, hand);
    await publish('second');
    await readOverGap(ask, next, hand);
    expect(heard).toEqual(['first', 'second']);
    const elsewhere = await readOverGap(ask, { ...start, history: 'another' }, hand);
    expect(heard).toEqual(['first', 'second']);
    expect(elsewhere.history).toBe(start.history);
  });

  it('EVT-10 however much the outbox keeps, only the newest transactions are looked at', async () => {
    await world.kernel.database.execute(sql`insert into sys_outbox (channel, payload, xact, create_date)
      select 'kept', '{}', -n, now() from generate_series(1, 5000) n`);
    await world.kernel.database.execute(sql`analyze sys_outbox`);
    const plans: string[] = [];
    const explained: Ask = async <Row extends object>(statement: Sql) => {
      const lines = await world.kernel.database.query<Record<string, string>>(sql`explain ${statement}`);
      plans.push(lines.flatMap((line) => Object.values(line)).join('\n'));
      return ask<Row>(statement);
    };
    await readEvents(explained, await currentPosition(ask), () => {});
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('sys_outbox_xact_idx');
    expect(plans[0]).not.toContain('Seq Scan');
  });
});
