import type { Kernel, WorkerSpec } from '@kontor/kernel';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startWorkers } from '../jobs/start-workers.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel();
});
afterAll(() => world.close());

function withWorker(kernel: Kernel, worker: WorkerSpec): Kernel {
  const loaded = () => {
    const base = kernel.loaded.definitions.get('base');
    if (!base) throw new Error('There is no base.');
    return {
      ...kernel.loaded,
      definitions: new Map(kernel.loaded.definitions).set('base', { ...base, workers: [worker] }),
    };
  };
  return Object.create(kernel, { loaded: { get: loaded } }) as Kernel;
}

function start(kernel: Kernel, worker: WorkerSpec) {
  const workers = startWorkers(withWorker(kernel, worker), { lookMs: 600_000, stopMs: 2_000 });
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
    const other = await world.another();
    const admin = await other.actor(1);
    if (!admin) throw new Error('There is no administrator.');
    await other.transact(admin, (env) => env.model('core.partner').create({ name: 'From elsewhere' }));
    await runs.reaches(4);
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
