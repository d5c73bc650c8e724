import { sql } from '@kontor/database';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
  const { database } = world.kernel;
  await database.transaction(async (tx) => {
    // The database of the tests is told of a commit later, and a vacuum before that leaves its rows to be looked at.
    await tx.execute(sql`set local synchronous_commit = on`);
    await tx.execute(sql`
      insert into core_partner (name, company_id)
      select 'Company ' || n, case when n % 2 = 0 then 1 end from generate_series(1, 3000) n`);
    await tx.execute(sql`
      insert into core_partner (name, parent_id)
      select 'Person at ' || name, id from core_partner where starts_with(name, 'Company ')`);
  });
  // As a database does by itself; that of the tests has no autovacuum.
  await database.execute(sql`vacuum analyze core_partner`);
});
afterAll(() => world.close());

interface Used {
  readonly lookups: number;
  readonly rows: number;
}

describe('names of contacts', () => {
  it('PRF-24 come from an index alone, for an ordinary person too', async () => {
    const person = await world.person('Ordinary');
    const { found, used } = await world.work(async (env) => {
      const columns = ['name', 'parent_id', 'parent_id.display_name'];
      const domain = [['parent_id', '!=', null]] as const;
      const found = await env.model('core.partner').searchRead(domain, columns, { limit: 80, order: '-name' });
      // What this transaction has done so far.
      const [used] = await env.db.query<Used>(sql`
        select pg_stat_get_xact_numscans(name)::int4 as lookups, pg_stat_get_xact_tuples_fetched(name)::int4 as rows
        from (select 'core_partner_id_name_company_id_idx'::regclass as name) index`);
      return { found, used };
    }, person);
    expect(found).toHaveLength(80);
    expect(new Set(found.map((row) => row['parent_id.display_name'])).size).toBe(80);
    // The planner looks once more, for the highest id.
    expect(used?.lookups).toBeGreaterThanOrEqual(80);
    expect(used?.rows).toBe(0);
  });
});
