import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemJobs } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const code = `import { currentCompany, defineAddon, defineModel, fields } from '@kontor/addon';
const loanFields = {
  due: fields.date({}),
  is_late: fields.boolean({ computed: true, stored: true }),
  read_on: fields.char({ computed: true }),
  company_id: fields.many2one('core.company', { default: currentCompany }),
};
export default defineAddon({ models: [defineModel('days.loan', {
  fields: loanFields,
  companyRule: false,
  computes: {
    is_late: { depends: ['due'], changes: 'daily', value: ({ due }, { today }) => due !== null && due < today },
    read_on: { depends: [], value: (_, { today }) => today },
  },
})] });
`;
const files = {
  'manifest.json': JSON.stringify({ name: 'days', label: 'Days', version: '1.0.0', kontor: '^0.1', depends: ['base'] }),
  'addon.ts': code,
  'security/access.csv':
    'id,name,model,group,read,write,create,unlink\naccess_loan,All,days.loan,base.group_user,1,1,1,1\n',
};

let world: TestKernel;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-days-'));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'days', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  world = await createTestKernel({ modules: ['days'], addonsPath: [join(folder, 'days')] });
});
afterAll(async () => {
  vi.useRealTimers();
  await world.close();
  rmSync(folder, { recursive: true });
});

const clock = (now: string) => vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });

async function refresh(): Promise<void> {
  const job = systemJobs.find(({ name }) => name === 'refresh_days');
  await job?.runAsSystem(world.kernel, new AbortController().signal);
}

it('LAN-15 a stored value that depends on today is calculated again when the day begins in the time zone of its company', async () => {
  clock('2026-05-01T10:00:00Z');
  const [east, west, none] = await world.work(async (env) => {
    const server = env.sudo();
    await server.model('core.company').write([1], { tz: 'Pacific/Auckland' });
    const [first] = await server.model('core.company').read([1], ['currency_id']);
    const other = await server
      .model('core.company')
      .create({ name: 'West', tz: 'America/Los_Angeles', currency_id: first?.currency_id });
    const due = '2026-05-01';
    return server.model('days.loan').createMany([
      { due, company_id: 1 },
      { due, company_id: other },
      { due, company_id: null },
    ]);
  });
  const late = async () => {
    const ids = [east, west, none] as number[];
    const rows = await world.work((env) => env.sudo().model('days.loan').read(ids, ['is_late']));
    return rows.map((row) => row.is_late);
  };
  await refresh();
  expect(await late()).toEqual([false, false, false]);
  clock('2026-05-01T13:00:00Z');
  expect(await late()).toEqual([false, false, false]);
  await refresh();
  expect(await late()).toEqual([true, false, true]);
  clock('2026-05-02T08:00:00Z');
  await refresh();
  expect(await late()).toEqual([true, true, true]);
  const found = await world.work((env) => env.model('days.loan').search([['is_late', '=', true]]));
  expect(found).toHaveLength(3);
});

it('LAN-15 a value that is not stored has the day of its reader', async () => {
  clock('2026-05-01T23:00:00Z');
  const reader = await world.person('Reader', ['base.group_user'], { tz: 'Asia/Tokyo' });
  const [row] = await world.work(async (env) => {
    const id = await env.sudo().model('days.loan').create({});
    return env.model('days.loan').read([id], ['read_on']);
  }, reader);
  expect(row?.read_on).toBe('2026-05-02');
});
