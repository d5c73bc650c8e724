import { once } from 'node:events';
import { sql } from '@kontor/database';
import { defineQueue, type Kernel, type Queue, type QueueSpec } from '@kontor/kernel';
import { type RunningQueue, startQueue } from '@kontor/parts';
import { createTestDatabase, createTestKernel, preparedDatabase, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBuiltServer } from './built-server.ts';
import { testAddons } from './shop.ts';

const waiting = { timeout: 120_000, interval: 10 };
let world: TestKernel;

beforeAll(async () => {
  world = await createTestKernel({ modules: ['press'], addonsPath: [testAddons] });
});
afterAll(() => world.close());
beforeEach(() => world.kernel.database.execute(sql`delete from press_page`));

interface PageRow {
  readonly id: number;
  readonly story: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly locked_by: string | null;
  readonly [column: string]: unknown;
}
const pages = () => world.kernel.database.query<PageRow>(sql`select * from press_page order by id`);
const add = (rows: readonly { story: string; printer?: string }[]) =>
  world.work((env) =>
    env
      .sudo()
      .model('press.page')
      .createMany(rows.map((row) => ({ printer: 'A', ...row }))),
  );
const makeDue = () => world.kernel.database.execute(sql`update press_page set next_try = now()`);

type Spec = Partial<QueueSpec<number, string>> & Pick<QueueSpec<number, string>, 'run'>;

/** A queue over the pages; its work is the id of the page. */
function queueOf(spec: Spec): Queue {
  return defineQueue<number, string>({
    name: 'test',
    model: 'press.page',
    tries: { most: 3, waitMs: () => 3_600_000 },
    prepare: async (_env, { id }) => ({ work: id }),
    ...spec,
  });
}
function start(spec: Spec, owner = 'one', kernel: Kernel = world.kernel, stopMs = 5_000): RunningQueue {
  const running = startQueue(kernel, queueOf(spec), { owner, lookMs: 600_000, stopMs });
  onTestFinished(running.stop);
  return running;
}

/** Work that ends when it is told to; counts what is under way. */
function gate() {
  const open = new Map<number, () => void>();
  const begun: number[] = [];
  return {
    open,
    begun,
    run: async (id: number): Promise<string> => {
      begun.push(id);
      await new Promise<void>((done) => open.set(id, done));
      open.delete(id);
      return 'printed';
    },
    isBusyWith: (count: number) => vi.waitFor(() => expect(open.size).toBe(count), waiting),
  };
}

describe('claims', () => {
  it('QUE-1 each of many rows is worked on once, however many processes share the queue', async () => {
    const printed: number[] = [];
    const run = async (id: number) => {
      printed.push(id);
      return 'printed';
    };
    const ids = await add(Array.from({ length: 60 }, (_, at) => ({ story: `s${at}` })));
    start({ run }, 'one');
    start({ run }, 'two', await world.another());
    await vi.waitFor(async () => expect((await pages()).every(({ state }) => state === 'done')).toBe(true), waiting);
    expect([...printed].sort((a, b) => a - b)).toEqual(ids);
    expect((await pages()).every((row) => row.attempts === 1 && row.locked_by === null)).toBe(true);
  });

  it('QUE-1 a new row is found as soon as it is committed, and one that was rolled back never', async () => {
    const { begun, run, open } = gate();
    start({ run });
    await expect(
      world.work(async (env) => {
        await env.sudo().model('press.page').create({ story: 'never' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const [id = 0] = await add([{ story: 'now' }]);
    await vi.waitFor(() => expect(begun).toEqual([id]), waiting);
    expect(await pages()).toMatchObject([{ state: 'running', attempts: 1 }]);
    open.get(id)?.();
    await vi.waitFor(async () => expect(await pages()).toMatchObject([{ state: 'done' }]), waiting);
  });

  it('QUE-4 limits for a process, in all and for a target hold together, and free room goes to others', async () => {
    const work = gate();
    const printers = ['A', 'A', 'A', 'A', 'B', 'C', 'C'];
    const ids = await add(printers.map((printer, at) => ({ story: `s${at}`, printer })));
    const room = { perProcess: 3, inAll: 4, targets: [{ field: 'printer', most: 2 }] };
    start({ run: work.run, room }, 'one');
    start({ run: work.run, room }, 'two', await world.another());
    const busy = () => [...work.open.keys()].map((id) => printers[ids.indexOf(id)]).sort();
    await work.isBusyWith(4);
    expect(busy()).toEqual(['A', 'A', 'B', 'C']);
    const owners = (await pages()).flatMap(({ locked_by: by }) => (by === null ? [] : by.slice(0, 3)));
    expect(Math.max(...['one', 'two'].map((name) => owners.filter((owner) => owner === name).length))).toBeLessThan(4);
    // Two pages for A are left, which have no room beside those that are being printed: the other C goes first.
    const isB = (id: number) => printers[ids.indexOf(id)] === 'B';
    work.open.get([...work.open.keys()].find(isB) as number)?.();
    await vi.waitFor(() => expect(busy()).toEqual(['A', 'A', 'C', 'C']), waiting);
    for (const done of [...work.open.values()]) done();
    await vi.waitFor(() => expect(busy()).toEqual(['A', 'A']), waiting);
    for (const done of [...work.open.values()]) done();
    await vi.waitFor(async () => expect((await pages()).every(({ state }) => state === 'done')).toBe(true), waiting);
    expect([...work.begun].sort((a, b) => a - b)).toEqual(ids);
  });

  it('QUE-4 of rows with one order key only the oldest open one runs', async () => {
    const work = gate();
    const ids = await add([{ story: 'a' }, { story: 'a' }, { story: 'b' }, { story: 'a' }]);
    start({ run: work.run, orderKey: ['story'] });
    await work.isBusyWith(2);
    expect(work.begun).toEqual([ids[0], ids[2]]);
    for (const [at, id] of [ids[2], ids[0], ids[1], ids[3]].entries()) {
      await vi.waitFor(() => expect(work.open.has(id as number)).toBe(true), waiting);
      work.open.get(id as number)?.();
      await vi.waitFor(
        async () => expect((await pages()).filter(({ state }) => state === 'done')).toHaveLength(at + 1),
        waiting,
      );
    }
    expect(work.begun).toEqual([ids[0], ids[2], ids[1], ids[3]]);
  });
});

describe('tries', () => {
  it('QUE-3 failures wait for their next try and are given up after the last, whatever step fails', async () => {
    const steps = ['prepare', 'run', 'end'] as const;
    let at = 0;
    const failing = (step: (typeof steps)[number]) => {
      if (steps[at] === step) throw new Error(`${step} failed`);
    };
    await add([{ story: 'a' }]);
    const queue = start({
      prepare: async (_env, { id }) => {
        failing('prepare');
        return { work: id };
      },
      run: async () => {
        failing('run');
        return 'printed';
      },
      end: async () => {
        failing('end');
        return { is: 'done' };
      },
    });
    for (; at < 3; at++) {
      const state = at === 2 ? 'dead' : 'waiting';
      const expected = { state, attempts: at + 1, last_error: `${steps[at]} failed`, locked_by: null };
      await vi.waitFor(async () => expect(await pages()).toMatchObject([expected]), waiting);
      await makeDue();
      queue.look();
    }
    at = 3;
    await add([{ story: 'b' }]);
    await vi.waitFor(async () => expect((await pages()).at(-1)).toMatchObject({ state: 'done', attempts: 1 }), waiting);
    expect((await pages())[0]).toMatchObject({ state: 'dead', attempts: 3 });
  });

  it('QUE-3 the late end of a claim that was lost changes nothing', async () => {
    const work = gate();
    const [id = 0] = await add([{ story: 'a' }]);
    start({ run: work.run });
    await work.isBusyWith(1);
    await world.kernel.database.execute(sql`update press_page set locked_by = 'another', attempts = 2`);
    work.open.get(id)?.();
    // The queue's next row is done after the end of the first was refused.
    const [next = 0] = await add([{ story: 'b' }]);
    await vi.waitFor(() => expect(work.open.has(next)).toBe(true), waiting);
    work.open.get(next)?.();
    await vi.waitFor(async () => expect((await pages())[1]).toMatchObject({ state: 'done' }), waiting);
    expect((await pages())[0]).toMatchObject({ state: 'running', attempts: 2, locked_by: 'another' });
  });

  it('QUE-3 an end says when to try again, or that nothing was tried', async () => {
    const at = new Date('2099-05-01T10:00:00Z');
    const ends = [{ is: 'again', at, error: 'busy' } as const, { is: 'left' } as const, { is: 'dead' } as const];
    let turn = 0;
    await add([{ story: 'a' }]);
    const queue = start({ run: async () => 'x', end: async () => ends[turn] ?? { is: 'done' } });
    await vi.waitFor(
      async () => expect(await pages()).toMatchObject([{ state: 'waiting', attempts: 1, last_error: 'busy' }]),
      waiting,
    );
    const [row] = await world.work((env) => env.sudo().model('press.page').searchRead([], ['next_try']));
    expect(row?.next_try).toBe(at.toISOString());
    const changed = async (sees: number) => {
      turn = sees;
      await makeDue();
      queue.look();
    };
    await changed(1);
    await vi.waitFor(async () => {
      const [left] = await pages();
      expect(left).toMatchObject({ state: 'waiting', attempts: 1, last_error: 'busy', locked_by: null });
      expect(left?.next_try).not.toBe(row?.next_try);
    }, waiting);
    await changed(2);
    await vi.waitFor(async () => expect(await pages()).toMatchObject([{ state: 'dead', attempts: 2 }]), waiting);
  });

  it('QUE-2 a row that kills its process is given up after its tries, and the others go on', async () => {
    const template = await preparedDatabase({ modules: ['press'], addonsPath: [testAddons] });
    const data = await createTestDatabase({ template });
    onTestFinished(() => data.drop());
    const env = { KONTOR_ADDONS_PATH: testAddons };
    const rows = () => data.database.query<PageRow>(sql`select * from press_page order by id`);
    await data.database.execute(sql`
      insert into press_page (story, printer, kills, state, attempts, next_try, create_date, write_date)
      values ('deadly', 'A', true, 'waiting', 0, now(), now(), now())`);
    for (let attempts = 1; attempts <= 3; attempts++) {
      // It may die before it says that it is ready.
      const server = await startBuiltServer({ dsn: data.dsn, env }).catch(() => null);
      if (server) expect(await server.ended).toBeNull();
      expect(await rows()).toMatchObject([{ state: 'running', attempts }]);
      await data.database.execute(sql`
        update press_page set locked_until = least(locked_until, now()) where locked_by is not null`);
    }
    await data.database.execute(sql`
      insert into press_page (story, printer, kills, state, attempts, next_try, create_date, write_date)
      values ('harmless', 'A', false, 'waiting', 0, now(), now(), now())`);
    const server = await startBuiltServer({ dsn: data.dsn, env });
    onTestFinished(() => server.stop());
    await vi.waitFor(async () => {
      expect(await rows()).toMatchObject([
        { state: 'dead', attempts: 3, last_error: 'The process ended in the middle of it.', locked_by: null },
        { state: 'done', attempts: 1 },
      ]);
    }, waiting);
  });
});

describe('QUE-5 a stop', () => {
  it('waits for what is under way', async () => {
    const work = gate();
    const [id = 0] = await add([{ story: 'a' }]);
    const queue = start({ run: work.run });
    await work.isBusyWith(1);
    const stopped = queue.stop();
    work.open.get(id)?.();
    await stopped;
    expect(await pages()).toMatchObject([{ state: 'done', attempts: 1 }]);
  });

  it('gives back what it cuts off without counting a try', async () => {
    const begun: number[] = [];
    await add([{ story: 'obeys' }, { story: 'does not' }]);
    const [obeys = 0] = (await pages()).map((row) => row.id);
    const run = async (id: number, signal: AbortSignal): Promise<string> => {
      begun.push(id);
      if (id === obeys) {
        await once(signal, 'abort');
        throw new Error('cut off');
      }
      return new Promise(() => {});
    };
    const queue = start({ run }, 'one', world.kernel, 10);
    await vi.waitFor(() => expect(begun).toHaveLength(2), waiting);
    await queue.stop();
    expect(await pages()).toMatchObject(
      Array.from({ length: 2 }, () => ({ state: 'waiting', attempts: 0, locked_by: null, last_error: null })),
    );
  });
});
