import { type Sql, sql } from '@kontor/database';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, currentPosition, type PublishedEvent, readOutbox, readOverGap } from '../events/read-outbox.ts';

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
    const next = await readOutbox(ask, start, hand);
    // The numbers of transactions grow past the three that were ahead.
    for (let count = 0; count < 4; count++) await publish(`own ${count}`);
    await readOutbox(ask, next, hand);
    expect(heard).toEqual(['in a savepoint', 'own 0', 'own 1', 'own 2', 'own 3']);
  });

  it('EVT-10 over a gap each event is told once; of another history none is', async () => {
    const start = await currentPosition(ask);
    await publish('first');
    const heard: string[] = [];
    const hand = (events: readonly PublishedEvent[]): void => void heard.push(...events.map(({ channel }) => channel));
    const next = await readOutbox(ask, start, hand);
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
    await readOutbox(explained, await currentPosition(ask), () => {});
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('sys_outbox_xact_idx');
    expect(plans[0]).not.toContain('Seq Scan');
  });
});
