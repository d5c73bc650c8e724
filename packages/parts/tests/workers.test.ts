import type { Kernel, WorkerSpec } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startWorkers } from '../jobs/start-workers.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

function withWorkers(kernel: Kernel, workers: readonly WorkerSpec[]): Kernel {
  const loaded = () => {
    const base = kernel.loaded.definitions.get('base');
    if (!base) throw new Error('There is no base.');
    return {
      ...kernel.loaded,
      definitions: new Map(kernel.loaded.definitions).set('base', { ...base, workers }),
    };
  };
  return Object.create(kernel, { loaded: { get: loaded } }) as Kernel;
}

function start(kernel: Kernel, ...specs: readonly WorkerSpec[]) {
  const workers = startWorkers(withWorkers(kernel, specs), { lookMs: 600_000, stopMs: 2_000 });
  onTestFinished(workers.stop);
  return workers;
}

/** Settles when it was called so often. */
function counter() {
  let count = 0;
  const waiting: { readonly at: number; readonly done: () => void }[] = [];
  return {
    add() {
      count++;
      for (const one of waiting) if (count >= one.at) one.done();
    },
    reaches: (at: number) => new Promise<void>((done) => (count >= at ? done() : waiting.push({ at, done }))),
  };
}

/** Another process changes something; settles when this one has heard of it. */
async function changeElsewhere(): Promise<void> {
  const other = await world.another();
  const heard = new Promise<void>((resolve) => {
    onTestFinished(world.kernel.on('bell', () => resolve()));
  });
  await other.transact(world.admin, (env) => env.model('core.partner').create({ name: 'From elsewhere' }));
  await heard;
}

describe('CRN-8 workers', () => {
  it('are asked at the start, after a change of anybody, and when what they began has ended', async () => {
    const runs = counter();
    let isBegun = false;
    start(world.kernel, {
      name: 'watch',
      async run({ begin }) {
        if (!isBegun) begin(async () => {});
        isBegun = true;
        runs.add();
      },
    });
    await runs.reaches(2);
    await world.work((env) => env.model('core.partner').create({ name: 'News' }));
    await runs.reaches(3);
    await changeElsewhere();
    await runs.reaches(4);
  });

  it('that name models are asked after changes of these, and whenever another process has changed something', async () => {
    const [named, all] = [counter(), counter()];
    const asTold: string[] = [];
    // Its first connection would count as news as well.
    await changeElsewhere();
    const watch = (name: string, runs: ReturnType<typeof counter>, models?: WorkerSpec['models']): WorkerSpec => ({
      ...{ name, ...(models && { models }) },
      async run() {
        asTold.push(name);
        runs.add();
      },
    });
    start(world.kernel, watch('named', named, ['core.country']), watch('all', all));
    await Promise.all([named.reaches(1), all.reaches(1)]);
    await world.work((env) => env.model('core.partner').create({ name: 'Not for it' }));
    await all.reaches(2);
    expect(asTold).toEqual(['named', 'all', 'all']);
    await world.work((env) => env.model('core.country').create({ name: 'Atlantis', code: 'ZZ', code3: 'ZZZ' }));
    await named.reaches(2);
    await changeElsewhere();
    await named.reaches(3);
  });

  it('take their steps one after another, whatever process they are in, and one that fails is asked again', async () => {
    const ended = counter();
    let inside = 0;
    let most = 0;
    const worker: WorkerSpec = {
      name: 'alone',
      async run({ step }) {
        await step(async (env) => {
          most = Math.max(most, ++inside);
          await env.model('core.partner').count();
          inside--;
        });
        ended.add();
        throw new Error('told in the log');
      },
    };
    start(world.kernel, worker);
    start(await world.another(), worker);
    for (let at = 1; at <= 3; at++) {
      await ended.reaches(at * 2);
      await world.work((env) => env.model('core.partner').create({ name: 'More' }));
    }
    await ended.reaches(8);
    expect(most).toBe(1);
  });

  it('are told to stop, and what they began is waited for', async () => {
    const begun = counter();
    let isDone = false;
    const workers = start(world.kernel, {
      name: 'long',
      async run({ begin, signal }) {
        begin(async () => {
          begun.add();
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          isDone = true;
        });
      },
    });
    await begun.reaches(1);
    await workers.stop();
    expect(isDone).toBe(true);
  });
});
