import { sql, trustedSql } from '@kontor/database';
import type { CustomChange } from '@kontor/kernel';
import { createTestKernel, isLong, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customise, customiseState, systemJobs } from '../index.ts';

const rows = isLong ? 1_000_000 : 2_000;
let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
  const first = await world.work((env) => env.model('crm.lead').create({ name: 'First' }));
  const columns = await world.kernel.database.query<{ name: string }>(
    sql`select column_name as name from information_schema.columns where table_name = 'crm_lead' and column_name <> 'id'`,
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const all = trustedSql(names);
  await world.kernel.database.execute(
    sql`insert into crm_lead (${all}) select ${all} from crm_lead, generate_series(2, ${rows}::int4) where id = ${first}`,
  );
});
afterAll(() => world.close());

const publish = async (name: string, field: object) => {
  const { base, draft } = await customiseState(world.kernel);
  const changes = [{ do: 'add_field', model: 'crm.lead', name, field, inList: true }] as unknown as CustomChange[];
  await customise(world.kernel, world.admin, { base, draft }, { changes, note: '', isPublished: true });
};
const state = async () => {
  const { database } = world.kernel;
  const indexes = await database.query<{ ok: boolean }>(
    sql`select x.indisvalid as ok from pg_index x join pg_class i on i.oid = x.indexrelid where i.relname = 'crm_lead_x_country_idx'`,
  );
  const keys = await database.query<{ ok: boolean }>(
    sql`select convalidated as ok from pg_constraint where conname = 'crm_lead_x_country_fk'`,
  );
  return [indexes.map(({ ok }) => ok), keys.map(({ ok }) => ok)];
};
const finish = () =>
  systemJobs
    .find(({ name }) => name === 'finish_added_fields')
    ?.runAsSystem(world.kernel, new AbortController().signal);

it('CUS-50 the index of a new link is made and its key validated after the publication, and again after a crash', async () => {
  await publish('x_country', { type: 'many2one', label: 'Country', relation: 'core.country' });
  expect(await state()).toEqual([[], [false]]);
  const { database } = world.kernel;
  const [lead] = await world.work((env) => env.model('crm.lead').search([], { limit: 1 }));
  // The key holds for what is written.
  await expect(
    database.execute(sql`update crm_lead set x_country = 999999 where id = ${lead as number}`),
  ).rejects.toThrow(/foreign key|x_country/);
  await finish();
  expect(await state()).toEqual([[true], [true]]);
  // What a crash in the middle leaves behind.
  await database.execute(
    sql`update pg_index set indisvalid = false where indexrelid = 'crm_lead_x_country_idx'::regclass`,
  );
  await finish();
  expect(await state()).toEqual([[true], [true]]);
});

it('CUS-50 people go on writing while fields are added', async () => {
  let isRunning = true;
  let writes = 0;
  const [lead] = await world.work((env) => env.model('crm.lead').search([], { limit: 1 }));
  const writer = async () => {
    while (isRunning) {
      await world.work((env) => env.model('crm.lead').write([lead as number], { name: `Name ${++writes}` }));
    }
  };
  const writing = writer();
  await publish('x_floor', { type: 'integer', label: 'Floor', required: true, default: 3 });
  await publish('x_state', { type: 'many2one', label: 'Country of the site', relation: 'core.country' });
  await finish();
  isRunning = false;
  await writing;
  expect(writes).toBeGreaterThan(0);
});
