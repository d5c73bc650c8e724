import { sql } from '@kontor/database';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
  await world.kernel.database.execute(sql`
    with company as (
      insert into core_partner (name, company_id)
      select 'Company ' || n, case when n % 2 = 0 then 1 end from generate_series(1, 100) n returning id, name)
    insert into core_partner (name, parent_id) select 'Person at ' || name, id from company`);
});
afterAll(() => world.close());

describe('names of contacts', () => {
  // Whether PostgreSQL then reads no row depends on what vacuum found, and on whatever else runs in the cluster.
  it('PRF-24 ask nothing of a contact that is not in one index, for an ordinary person too', async () => {
    const person = await world.person('Ordinary');
    const { found, asked, index } = await world.work(async (env) => {
      const columns = ['name', 'parent_id', 'parent_id.display_name'];
      const domain = [['parent_id', '!=', null]] as const;
      const read = () => env.model('core.partner').searchRead(domain, columns, { limit: 80, order: '-name' });
      // A statement that comes again gets a name, and can be seen.
      const [found] = [await read(), await read(), await read()];
      const asked = await env.db.arrays(sql`
        select statement from pg_prepared_statements where statement like 'select%from "core_partner" "t"%order by%'`);
      const index = await env.db.arrays(sql`
        select pg_get_indexdef(indexrelid, place, false) from pg_index, generate_series(1, indnkeyatts) place
        where indexrelid = 'core_partner_id_name_company_id_idx'::regclass and indisvalid order by place`);
      return { found, asked: asked.flat().map(String), index: index.flat().map(String) };
    }, person);
    expect(found).toHaveLength(80);
    expect(new Set(found.map((row) => row['parent_id.display_name'])).size).toBe(80);
    // By the id first: that is how a contact is looked up.
    expect(index).toEqual(['id', 'name', 'company_id']);
    expect(asked).toHaveLength(1);
    const ofTheOther = [...(asked[0] as string).matchAll(/"t_j1"\."(\w+)"/g)].map(([, column]) => column);
    expect(new Set(ofTheOther)).toEqual(new Set(index));
  });
});
