import { ident, sql, trustedSql } from '@kontor/database';
import { type CustomChange, fillPending } from '@kontor/kernel';
import { createTestKernel, isLong, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseScreen, customiseState, systemJobs } from '../index.ts';

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

const publish = (name: string, field: object) =>
  publishAll([{ do: 'add_field', model: 'crm.lead', name, field, inList: true } as unknown as CustomChange]);
const publishAll = async (changes: readonly CustomChange[]) => {
  const { base, draft } = await customiseState(world.kernel);
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

long('CUS-50 people go on writing while fields are added', async () => {
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

describe('CUS-90 values of existing records, where there are many', () => {
  const nobody = { id: 0 };
  const fieldOf = async (name: string) => {
    const [row] = await world.kernel.database.query<{ filled: number; wrong: number }>(sql`
      select count(${ident(name)})::int4 as filled,
        count(*) filter (where ${ident(name)} is distinct from probability * 2)::int4 as wrong from crm_lead`);
    return row;
  };
  const finishUntil = (stop: (portions: number) => boolean) => {
    const { kernel } = world;
    const ended = new AbortController();
    let portions = 0;
    const transact: typeof kernel.transact = async (...given) => {
      if (stop(++portions)) ended.abort();
      return kernel.transact(...given);
    };
    return fillPending({ transact, log: kernel.log }, ended.signal);
  };

  it('a stored formula is calculated afterwards, in portions that go on where the last one ended', async () => {
    await publish('x_twice', { type: 'decimal', label: 'Twice', formula: 'probability * 2', stored: true });
    expect((await fieldOf('x_twice'))?.filled).toBe(0);
    const [first, last] = await world.work(async (env) => [
      ...(await env.model('crm.lead').search([], { order: 'id', limit: 1 })),
      ...(await env.model('crm.lead').search([], { order: '-id', limit: 1 })),
    ]);
    nobody.id = last as number;
    // Whoever writes a record in the meantime gives it its value at once.
    await world.work((env) => env.model('crm.lead').write([last as number], { probability: 40 }));
    const [row] = await world.work((env) => env.model('crm.lead').read([last as number], ['x_twice']));
    expect(Number(row?.x_twice)).toBe(80);
    await finishUntil((portions) => portions === 2);
    const some = (await fieldOf('x_twice'))?.filled ?? 0;
    expect(some).toBeGreaterThan(250);
    expect(some).toBeLessThan(rows);
    const { filling } = await customiseScreen(world.kernel, world.admin);
    expect(filling).toEqual([{ at: 'crm.lead.x_twice', percent: expect.any(Number) }]);
    await world.work((env) => env.model('crm.lead').write([first as number], { probability: 70 }));
    await finish();
    expect(await fieldOf('x_twice')).toEqual({ filled: rows, wrong: 0 });
    expect((await customiseScreen(world.kernel, world.admin)).filling).toEqual([]);
  });

  long('a changed formula too, and one that goes away before it is done', async () => {
    const change = (more: object) =>
      ({ do: 'change_field', model: 'crm.lead', name: 'x_twice', ...more }) as unknown as CustomChange;
    await publishAll([change({ field: { formula: 'probability * 3' } })]);
    await finishUntil((portions) => portions === 1);
    await publishAll([{ do: 'delete_field', model: 'crm.lead', name: 'x_twice' } as CustomChange]);
    await finish();
    expect((await customiseScreen(world.kernel, world.admin)).filling).toEqual([]);
  });

  long('a copy of a linked value leaves what somebody entered in the meantime', async () => {
    const partner = await world.work((env) => env.model('core.partner').create({ name: 'Sol', phone: '1' }));
    await world.kernel.database.execute(sql`update crm_lead set partner_id = ${partner}`);
    await publish('x_call', { type: 'char', label: 'Call', from: 'partner_id.phone' });
    await world.work((env) => env.model('crm.lead').write([nobody.id], { x_call: 'mine' }));
    await finish();
    const found = await world.kernel.database.query<{ value: string; n: number }>(
      sql`select x_call as value, count(*)::int4 as n from crm_lead group by 1 order by 2`,
    );
    expect(found).toEqual([
      { value: 'mine', n: 1 },
      { value: '1', n: rows - 1 },
    ]);
  });

  long('a required field gets what the database can fill without writing, or is refused', async () => {
    const required = (name: string, field: object) =>
      publish(name, { required: true, label: name, ...field }).then(
        () => 'published',
        ({ details }: { details: { fields: object } }) => Object.values(details.fields).flat().join(' '),
      );
    expect(await required('x_since', { type: 'date', default: { source: 'today' } })).toBe('published');
    expect(
      await required('x_owner', { type: 'many2one', relation: 'core.user', default: { source: 'user' } }),
    ).toContain('Too many records');
    expect(await required('x_copy', { type: 'char', from: 'partner_id.phone' })).toContain('Too many records');
  });
});
