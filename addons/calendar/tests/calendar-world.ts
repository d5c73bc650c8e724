import type { Env } from '@kontor/addon';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll } from 'vitest';

type Row = Readonly<Record<string, unknown>>;
type Actor = TestKernel['admin'];

export interface CalendarWorld extends TestKernel {
  /** In Berlin, as are their meetings. */
  readonly ada: Actor;
  readonly ben: Actor;
  readonly cyn: Actor;
  meeting(values: Row, actor?: Actor): Promise<number>;
  read(id: number, fields: readonly string[], actor?: Actor): Promise<Row>;
  write(id: number, values: Row, actor?: Actor): Promise<unknown>;
  call(id: number, action: string, answers?: Row, actor?: Actor): Promise<unknown>;
  /** Runs a job of the calendar as the server, at a time. */
  runJob(name: string, at?: string): Promise<void>;
  /** The meetings of the series of one, as the server sees them. */
  series(id: number): Promise<readonly { readonly id: number; readonly start: string; readonly name: string }[]>;
}

/** A kernel with the calendar, and more where a test asks for it, for the tests of one file. */
export function calendarWorld(modules: readonly string[] = ['calendar'], env: Record<string, string> = {}) {
  let world: CalendarWorld;
  beforeAll(async () => {
    world = await open(modules, env);
  });
  afterAll(() => world.close());
  return () => world;
}

async function open(modules: readonly string[], env: Record<string, string>): Promise<CalendarWorld> {
  const kernel = await createTestKernel({ modules: [...modules], env });
  const person = (name: string) =>
    kernel.person(name, ['base.group_user'], {
      tz: 'Europe/Berlin',
      email: `${name.slice(0, 3).toLowerCase()}@desk.example`,
    });
  const [ada, ben, cyn] = [await person('Ada Vogel'), await person('Ben Holt'), await person('Cyn Roy')];
  return {
    ...kernel,
    ...{ ada, ben, cyn },
    meeting: (values, actor = ada) =>
      kernel.work((on) => on.model('calendar.event').create({ name: 'Meeting', ...values }), actor),
    read: async (id, fields, actor) =>
      (
        await kernel.work((on) => (actor ? on : on.sudo()).model('calendar.event').read([id], [...fields]), actor)
      )[0] as Row,
    write: (id, values, actor = ada) => kernel.work((on) => on.model('calendar.event').write([id], values), actor),
    call: (id, action, answers = {}, actor = ada) =>
      kernel.work((on) => on.model('calendar.event').call([id], action, answers), actor),
    async runJob(name, at) {
      const job = kernel.kernel.loaded.definitions.get('calendar')?.jobs.find((one) => one.name === name);
      if (!job || !('runInSteps' in job)) throw new Error(`There is no job ${name}.`);
      const step = <T>(work: (on: Env) => Promise<T>) => kernel.work((on) => work(onClock(on, at)));
      await job.runInSteps({ cronId: 0, step, signal: new AbortController().signal });
    },
    series: (id) =>
      kernel.work(async (on) => {
        const events = on.sudo().model('calendar.event');
        const [event] = await events.read([id], ['series_id']);
        const rows = await events.searchRead([['series_id', '=', event?.series_id]], ['start', 'name'], {
          order: 'start',
        });
        return rows.map((row) => ({ id: row.id, start: String(row.start), name: String(row.name) }));
      }),
  };
}

/** The server's env as addons see it, at another time than now. */
function onClock(env: object, at: string | undefined): Env {
  const server = (env as Env).sudo();
  if (at === undefined) return server;
  const own: PropertyDescriptorMap = { now: { value: new Date(at) }, sudo: { value: () => onClock(server, at) } };
  return Object.create(server, own) as Env;
}
