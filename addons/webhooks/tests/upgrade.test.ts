import { createHash } from 'node:crypto';
import { databaseHistory, sql } from '@kontor/database';
import { upgradeModules } from '@kontor/kernel';
import { systemJobs } from '@kontor/parts';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect } from 'vitest';
import { type WebhookWorld, webhookWorld } from './webhook-world.ts';

let world: WebhookWorld;
beforeAll(async () => {
  world = await webhookWorld();
});
afterAll(() => world.close());

const run = (statement: ReturnType<typeof sql>) => world.kernel.database.execute(statement);

async function chain(): Promise<void> {
  const job = systemJobs.find(({ name }) => name === 'extend_audit');
  await job?.runAsSystem(world.kernel, new AbortController().signal);
}

/** How the version before named the place of the newest change. */
async function oldCursor(): Promise<string> {
  const [row] = await world.kernel.database.query<{ history: string; place: string }>(sql`
    select ${databaseHistory} as history, xact || '-' || id || '-' || extract(epoch from create_date)::int8 as place
    from sys_change order by xact desc, id desc limit 1`);
  return `${createHash('sha256')
    .update(row?.history ?? '')
    .digest('hex')
    .slice(0, 12)}-${row?.place}`;
}

long(
  'WHK-13 AUD-1 a database of the version before is upgraded: webhooks and audit go on where they were, and each change is told once',
  async () => {
    const subscription = await world.subscribe();
    const told = await world.contact('Told before');
    await world.deliver();
    await chain();
    const cursor = await oldCursor();
    const first = await world.contact('Before the upgrade');
    for (const statement of [
      sql`alter table sys_change drop column company_id`,
      sql`alter table sys_audit_segment drop column cursor`,
      sql`alter table webhook_delivery drop column host, drop column locked_by, drop column locked_until,
      add column claimed_until timestamptz(3)`,
      sql`create index webhook_delivery_claimed_until_idx on webhook_delivery (claimed_until)`,
      sql`delete from sys_migration where module = 'webhooks'`,
      sql`update webhook_progress set cursor = ${cursor}`,
      sql`alter table webhook_progress alter column cursor type varchar(100)`,
      sql`update sys_change_set set is_chained = id in (select set_id from sys_audit where set_id is not null)`,
      sql`create unique index sys_change_set_waiting_unique on sys_change_set (id) where is_chained = false`,
    ]) {
      await run(statement);
    }
    await world.kernel.changeModules((context) => upgradeModules(context, ['base', 'webhooks']));
    const second = await world.contact('After the upgrade');
    await world.deliver();
    expect([...world.receiver.told()].sort()).toEqual([told, first, second].map((id) => `create ${id}`).sort());
    expect(await world.deliveries(subscription)).toMatchObject(
      Array.from({ length: 3 }, () => ({ state: 'sent', attempts: 1 })),
    );
    await chain();
    const entries = await world.kernel.database.query(sql`
    select res_id from sys_audit where model = 'core.partner' and res_id = any(${[told, first, second]}::int4[]) order by seq`);
    expect(entries.map((row) => row.res_id)).toEqual([told, first, second]);
    const left = await world.kernel.database.query(sql`
    select indexname from pg_indexes where indexname in ('sys_change_set_waiting_unique', 'webhook_delivery_claimed_until_idx')`);
    expect(left).toEqual([]);
  },
);
