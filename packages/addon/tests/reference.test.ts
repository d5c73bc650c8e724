import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteRequest } from '@kontor/addon';
import { installModules, uninstallModule, upgradeModules } from '@kontor/kernel';
import type { TypedEnv } from '@kontor/orm';
import { createTestKernel, isLong, openScreens, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as door from '../index.ts';
import { root } from './compile-outside.ts';
import { addonOfExamples, exported, referencePages } from './door-examples.ts';
import * as using from './workshop/using-env.ts';

let world: TestKernel;
let folder: string;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'kontor-examples-')), 'examples');
  await mkdir(folder);
  for (const [name, text] of Object.entries(addonOfExamples())) await writeFile(join(folder, name), text);
  const addonsPath = [join(import.meta.dirname, 'workshop'), folder];
  world = await createTestKernel({ modules: ['workshop', 'examples'], demo: true, addonsPath });
});
afterAll(async () => {
  await world?.close();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

const reference = referencePages();

it('MOD-9 the reference knows every export of the door', () => {
  const values = exported.filter(({ isType }) => !isType).map(({ name }) => name);
  expect(values.sort()).toEqual(Object.keys(door).sort());
});

it('MOD-9 REF-1 everything in the reference has a comment and an example', () => {
  expect(reference.gaps).toEqual([]);
});

it('REF-1 docs/reference is what npm run reference makes', async () => {
  for (const [name, text] of reference.pages) {
    expect(await readFile(join(root, 'docs/reference', name), 'utf8'), `${name}: run npm run reference`).toBe(text);
  }
});

long('REF-2 the examples in comments are installed and run', async () => {
  await runJob('examples', 'run_examples');
  expect([...world.kernel.registry.models.keys()]).toEqual(expect.arrayContaining(['library.book', 'library.seat']));
});

it('REF-2 the addon that examples are cut from opens every screen, and its data are there', async () => {
  expect(await openScreens(world, 'workshop', world.admin)).toEqual([]);
  const [bike] = await world.act((env) =>
    env.model('workshop.bike').searchRead([], ['name', 'gears', 'photo', 'rider_ids']),
  );
  expect(bike).toMatchObject({
    name: 'Red lightning',
    gears: 21,
    photo: expect.stringMatching(/^iVBOR/),
    rider_ids: [expect.any(Number)],
  });
  const parts = await world.act((env) => env.model('workshop.part').searchRead([], ['name', 'replaces_ids']));
  expect(parts.map(({ replaces_ids: replaced }) => replaced.length)).toEqual([0, 1]);
});

it('REF-2 what the reference says of env gives what it says', async () => {
  await world.act(async (env) => {
    const [bikeId = 0] = await env.model('workshop.bike').search();
    const [partId = 0] = await using.model(env);
    const [ownerId = 0] = await env.model('core.partner').search([['name', '=', 'Nora Berg']]);
    const id = await using.create(env, bikeId);
    expect(await using.write(env, id, partId)).toBe(true);
    expect(Number(await using.read(env, id))).toBe(59.8);
    expect((await using.load(env, id))?.map(Number)).toEqual([24.9]);
    expect(await using.searchRead(env)).toContainEqual(
      expect.objectContaining({ id, 'bike_id.name': 'Red lightning' }),
    );
    expect(await using.createMany(env, ownerId)).toHaveLength(2);
    expect(await using.count(env)).toBe(3);
    const again = await using.copy(env, id);
    expect(await using.search(env)).toEqual(expect.arrayContaining([id, again]));
    await using.call(env, id);
    expect(await env.model('workshop.repair').read([id], ['state', 'date_due'])).toEqual([
      { id, state: 'work', date_due: '2030-01-01' },
    ]);
    expect(await using.unlink(env, again)).toBe(true);
    expect(await using.ref(env)).toMatchObject([{ name: 'Waiting' }]);
    expect(await using.sudo(env)).toBe(3);
    expect(await using.as(env, env.uid)).toBe(3);
    expect(await using.uid(env)).toBe(1);
    expect([using.actor(env), using.isSudo(env), using.isOutside(env)]).toEqual([true, true, 'server code']);
    expect([using.registry(env), using.policy(env), using.scope(env)]).toEqual([
      'Name',
      0,
      'everything that the person may do',
    ]);
    expect(await using.visiting(env, 0)).toEqual([]);
    expect(using.inLanguage(env)).toBe('Fahrrad');
    expect(using.now(env)).toBe(env.now.toISOString());
    expect(using.db(env)).toBeGreaterThan(0);
    expect(using.work(env)).toContain(`create workshop.repair ${id}`);
    await env.model('workshop.repair').call([id], 'finish');
    expect(await using.readGroup(env)).toMatchObject([{ __count: 1 }]);
  });
});

it('REF-2 computes, constraints, states and hooks of the reference do what it says', async () => {
  const makeBike = async (env: TypedEnv, name: string) => {
    const owner_id = await env.model('core.partner').create({ name: 'Otto' });
    const values = { name, owner_id, frame_number: ` ${name} `, is_electric: true, bought_on: '2011-05-01' };
    return { values, bike: await env.model('workshop.bike').create(values) };
  };
  await world.act(async (env) => {
    const { bike } = await makeBike(env, 'grey');
    const paths = ['frame_number', 'service_every', 'age', 'display_name', 'taken_in'] as const;
    expect(await env.model('workshop.bike').read([bike], paths)).toMatchObject([
      { frame_number: 'GREY', service_every: 6, age: 'old', display_name: 'grey (Otto)' },
    ]);
    expect(await env.model('workshop.bike').count([['age', '=', 'old']])).toBe(1);
  });
  const tooHeavy = world.act(async (env) => {
    const { bike } = await makeBike(env, 'blue');
    await env.model('workshop.bike').write([bike], { weight: 90 });
  });
  await expect(tooHeavy).rejects.toThrow('Only cargo bikes weigh more than 80 kg.');
  const twice = world.act(async (env) => {
    const { values } = await makeBike(env, 'red');
    await env.model('workshop.bike').create({ ...values, frame_number: 'other' });
  });
  await expect(twice).rejects.toThrow('The owner has a bike of this name.');
  const unfinished = world.act(async (env) => {
    const repairs = env.model('workshop.repair');
    const { bike } = await makeBike(env, 'green');
    const id = await repairs.create({ bike_id: bike, problem: '  A flat tyre. ' });
    expect(await repairs.read([id], ['name', 'problem', 'stage_id.name'])).toMatchObject([
      { name: expect.stringMatching(/^R\d{4}\/W$/), problem: 'A flat tyre.', 'stage_id.name': 'Waiting' },
    ]);
    await repairs.call([id], 'start');
    await repairs.call([id], 'finish');
  });
  await expect(unfinished).rejects.toThrow('Say what was done before you finish it.');
});

it('REF-2 jobs and routes of the reference do what it says', async () => {
  const { jobs = [], routes = [] } = world.kernel.loaded.definitions.get('workshop') ?? {};
  await runJob('workshop', 'remind');
  const tidyUp = jobs.find(({ name }) => name === 'tidy_up');
  if (!tidyUp || !('runInSteps' in tidyUp)) throw new Error('There is no job in steps.');
  await world.act((env) => env.sudo().model('workshop.log').create({ model: 'workshop.bike', res_id: 1 }));
  const step = <T>(work: (env: TypedEnv) => Promise<T>) => world.act((env) => work(env.sudo()));
  await tidyUp.runInSteps({ cronId: 1, step, signal: new AbortController().signal });
  expect(await world.act((env) => env.model('workshop.log').count())).toBe(0);
  await world.act(async (env) => {
    const [bike = 0] = await env.model('workshop.bike').search();
    const ask = {
      env,
      method: 'GET' as const,
      path: '/',
      params: { id: String(bike) },
      query: {},
      headers: {},
      lang: 'en_US',
      body: null,
    };
    const answers = await Promise.all(
      routes.map(({ handler }) => handler({ ...ask, body: { bike, problem: 'Rust.' } } as RouteRequest)),
    );
    expect(answers).toMatchObject([
      { body: { open: '9–17' } },
      { status: 204, cookie: { value: '1' } },
      { body: { id: bike } },
      { status: 201 },
      { body: { bytes: 0 } },
    ]);
  });
});

it.runIf(isLong)('REF-2 the addon of the reference upgrades, goes and comes back', async () => {
  await world.kernel.changeModules((context) => upgradeModules(context, ['workshop']));
  const gone = await world.kernel.changeModules((context) => uninstallModule(context, 'workshop'));
  expect(gone.states.get('workshop')).toBe('uninstalled');
  const back = await world.kernel.changeModules((context) => installModules(context, ['workshop']));
  expect(back.states.get('workshop')).toBe('installed');
});

async function runJob(module: string, name: string): Promise<void> {
  const job = world.kernel.loaded.definitions.get(module)?.jobs.find((each) => each.name === name);
  if (!job || !('run' in job)) throw new Error(`There is no job ${module}.${name}.`);
  await world.act((env) => job.run({ env: env.sudo(), cronId: 1 }));
}
