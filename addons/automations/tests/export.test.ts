import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from '@kontor/database';
import { openZip } from '@kontor/exchange';
import { type CustomChange, readChange } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { customise, customiseState, exportAddon, importAddon } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AutomationWorld, automationWorld } from './automation-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-automations-'));
const addon = 'acme';
let custom: AutomationWorld;
let coded: TestKernel;
let other: TestKernel;
let file: Buffer;

const changes: readonly CustomChange[] = [
  readChange({
    ...{ do: 'add_model', model: 'x_machine' },
    spec: {
      ...{ label: 'Machine', plural: 'Machines', chatter: true },
      access: [{ group: 'base.group_system', write: true, create: true, unlink: true }],
    },
  }),
  ...(
    [
      ['x_due', { type: 'date', label: 'Due' }],
      ['x_fee', { type: 'decimal', label: 'Fee' }],
      ['x_mail', { type: 'char', label: 'Mail', format: 'email' }],
      ['x_late', { type: 'boolean', label: 'Late' }],
    ] as const
  ).map(([name, field]) => readChange({ do: 'add_field', model: 'x_machine', name, field })),
];
const publish = async ({ kernel, admin }: TestKernel, given: readonly CustomChange[]) => {
  const { base, draft } = await customiseState(kernel);
  await customise(kernel, admin, { base, draft }, { changes: given, note: '', isPublished: true });
};
const rulesOf = (world: TestKernel, actor: Actor = world.admin) =>
  world.act(
    (env) =>
      env
        .model('automation.rule')
        .searchRead([], ['name', 'model', 'when', 'domain', 'steps', 'together', 'state', 'author_id'], {
          order: 'id',
        }),
    actor,
  );
const filesOf = async (zipped: Buffer) => {
  const zip = openZip(zipped, 8_000_000);
  const files = new Map<string, string>();
  for (const name of zip.names) {
    let text = '';
    for await (const part of zip.text(name)) text += part;
    files.set(name, text);
  }
  return files;
};

const late = {
  ...{ name: 'Overdue "now" <b>', model: 'x_machine', trigger: 'change', field: 'x_due' },
  domain: [
    ['x_late', '=', false],
    ['x_fee', '>', 2],
  ],
};

/** Mails are queued; nobody is there to take them. */
const env = {
  ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: '9', KONTOR_SMTP_TLS: 'none' },
  KONTOR_SMTP_FROM: 'office@kontor.test',
};

beforeAll(async () => {
  custom = await automationWorld(env);
  await publish(custom, changes);
  const call = await custom.work((env) => env.ref('mail.type_call'));
  await custom.active({
    ...late,
    steps: [
      { do: 'set', values: { x_late: { value: true }, x_fee: { formula: 'x_fee * 2' } } },
      { do: 'note', text: 'Fee {x_fee} & more' },
      { do: 'activity', type: call, summary: 'Call {x_mail}', days: 1, who: { path: 'create_uid' } },
      { do: 'mail', to: '{x_mail}', subject: 'Due {x_due}', body: 'Bring {name} back' },
      { do: 'create', model: 'x_machine', values: { name: { from: 'name' }, x_late: { value: false } } },
    ],
  });
  const hook = await custom.active({
    ...{ name: 'From the shop', trigger: 'hook', model: 'x_machine', match: 'x_mail' },
    fields: { name: 'name', x_mail: 'mail' },
    steps: [{ do: 'set', values: { x_late: { value: true } } }],
  });
  await custom.act((env) => env.model('automation.rule').call([hook], 'renew_secret'));
  // Somebody of this database: it cannot leave.
  await custom.active({
    name: 'To Avery',
    steps: [{ do: 'assign', field: 'user_id', who: { user: custom.author.uid } }],
  });
  file = await exportAddon(custom.kernel, custom.admin, addon);
  for (const [path, text] of await filesOf(file)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  coded = await createTestKernel({ modules: ['automations', 'crm', addon], addonsPath: [folder], env });
  other = await createTestKernel({ modules: ['automations', 'crm'] });
});
afterAll(async () => {
  await Promise.all([custom?.close(), coded?.close(), other?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

it('CUS-93 automations leave with the customisation, without keys, states and authors', async () => {
  const files = await filesOf(file);
  const all = [...files.values()].join('\n');
  const [row] = await custom.kernel.database.query<{ secrets: string }>(
    sql`select string_agg(secret, ',') as secrets from automation_rule`,
  );
  const secrets = (row?.secrets ?? '').split(',').filter(Boolean);
  expect(secrets.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(all).not.toContain(secret.replace('whsec_', ''));
  expect(all).not.toMatch(/secret|author_id|paused/);
  expect(files.get('acme/NOT-EXPORTED.md')).toContain('- To Avery');
  expect(files.get('acme/data/20-records.xml')).not.toContain('To Avery');
  expect(JSON.parse(files.get('acme/manifest.json') ?? '')).toMatchObject({
    depends: expect.arrayContaining(['automations', 'mail']),
  });
});

it('CUS-93 in the installed addon they do the same, once somebody switches them on', async () => {
  const [rule, hook] = await rulesOf(coded);
  expect([rule, hook]).toMatchObject([
    { name: late.name, model: 'acme.machine', state: 'off', author_id: null, when: { field: 'acme_due' } },
    { name: 'From the shop', state: 'off', when: { match: 'acme_mail', fields: { name: 'name', acme_mail: 'mail' } } },
  ]);
  const story = async (world: TestKernel, model: string, own: (name: string) => string) => {
    const id = await world.work((env) =>
      env.model(model).create({ name: 'Drill', [own('fee')]: '4', [own('mail')]: 'liv@berg.example' }),
    );
    await world.work((env) => env.model(model).write([id], { [own('due')]: '2026-01-31' }));
    await custom.runAll(world.kernel);
    const runs = await world.work((env) =>
      env.sudo().model('automation.run').searchRead([], ['state', 'problem', 'step', 'done'], { order: 'id' }),
    );
    const rows = await world.work((env) =>
      env.model(model).searchRead([], ['name', own('fee'), own('late')], { order: 'id' }),
    );
    return {
      runs: runs.map(({ id: _, ...run }) => JSON.stringify(run).replaceAll(model, 'machine').replaceAll(own(''), '')),
      rows: rows.map((row) => [row.name, String(row[own('fee')]), row[own('late')]]),
    };
  };
  await coded.act((env) => env.model('automation.rule').call([rule?.id as number], 'switch_on'));
  expect((await rulesOf(coded))[0]).toMatchObject({ state: 'on', author_id: coded.admin.uid });
  const ours = await story(custom, 'x_machine', (name) => `x_${name}`);
  expect(await story(coded, 'acme.machine', (name) => `acme_${name}`)).toEqual(ours);
  expect(ours.runs).toEqual([expect.stringContaining('"state":"done"')]);
  expect(ours.rows).toContainEqual(['Drill', '8', true]);
});

long(
  'CUS-93 an import makes those that fit what is published, switched off and in the name of whoever imports',
  async () => {
    const seen = async () => {
      const { base, draft } = await customiseState(other.kernel);
      return { base, draft };
    };
    const taken = await importAddon(other.kernel, other.admin, await seen(), file);
    expect(taken).toMatchObject({ draft: 1, made: 0, waiting: 2 });
    await customise(other.kernel, other.admin, taken, { changes: [], note: '', isPublished: true });
    expect(await importAddon(other.kernel, other.admin, await seen(), file)).toMatchObject({
      draft: 0,
      made: 2,
      waiting: 0,
    });
    await expect(importAddon(other.kernel, other.admin, await seen(), file)).rejects.toThrow('there already');
    const plain = (rows: Awaited<ReturnType<typeof rulesOf>>) =>
      rows.map(({ name, model, when, domain, together }) => ({ name, model, when, domain, together }));
    const rows = await rulesOf(other);
    expect(plain(rows)).toEqual(plain(await rulesOf(custom)).slice(0, 2));
    expect(rows).toMatchObject([{ state: 'off', author_id: other.admin.uid }, { state: 'off' }]);
  },
);

it('CUS-93 nobody exports automations of others, or imports what they may not do', async () => {
  const nils = await custom.person('Nils', ['base.group_customise']);
  const theirs = [...(await filesOf(await exportAddon(custom.kernel, nils, addon))).values()].join();
  expect(theirs).not.toContain('Overdue');
  const poor = await other.person('Pia', ['base.group_customise']);
  const before = (await rulesOf(other)).length;
  const { base, draft } = await customiseState(other.kernel);
  await importAddon(other.kernel, poor, { base, draft }, file).catch(() => null);
  expect(await rulesOf(other, poor)).toEqual([]);
  expect((await rulesOf(other)).length).toBe(before);
});

it('AUT-24 an automation creates records of an added model', async () => {
  const id = await custom.active({
    name: 'Machine for each lead',
    steps: [{ do: 'create', model: 'x_machine', values: { name: { from: 'name' } } }],
  });
  await custom.lead({ name: 'Crane' });
  await custom.runAll();
  expect((await custom.runs(id)).map(({ state }) => state)).toEqual(['done']);
});
