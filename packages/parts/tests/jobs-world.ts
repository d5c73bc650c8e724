import { createSessionLocks, parseDsn, sql } from '@kontor/database';
import type { JobSpec, Kernel } from '@kontor/kernel';
import { createTestKernel, type TestKernel, type TestKernelOptions } from '@kontor/testing';
import { onTestFinished } from 'vitest';
import { type JobOptions, type JobWorker, startJobs } from '../jobs/start-jobs.ts';

export interface JobWorld extends TestKernel {
  /** A process of its own, as far as jobs are concerned. */
  worker(owner: string, options?: Pick<JobOptions, 'mostAtOnce' | 'stopMs'>): JobWorker;
  /** A job of the module `base`, and a row that calls it. */
  job(spec: JobSpec, values?: Readonly<Record<string, unknown>>): Promise<number>;
  cron(id: number): Promise<Readonly<Record<string, unknown>>>;
}

/** A kernel whose shipped jobs sleep, and to which a test adds its own. */
export async function jobWorld(options: TestKernelOptions = {}): Promise<JobWorld> {
  const world = await createTestKernel(options);
  await world.kernel.database.execute(sql`update sys_cron set active = false`);
  const own: JobSpec[] = [];
  const kernel: Kernel = Object.create(world.kernel, { loaded: { get: () => withJobs(world.kernel, own) } }) as Kernel;
  return {
    ...world,
    kernel,
    worker(owner, options = {}) {
      const locks = createSessionLocks(parseDsn(world.dsn), 4711, { warn: () => {} });
      const jobs = startJobs(kernel, { locks, owner, lookMs: 100, ...options });
      let stopping: Promise<void> | null = null;
      const stop = (): Promise<void> => {
        stopping ??= jobs.stop().then(locks.close);
        return stopping;
      };
      onTestFinished(stop);
      return { stop };
    },
    async job(spec, values = {}) {
      own.push(spec);
      return world.work(
        (env) =>
          env.model('sys.cron').create({
            name: spec.name,
            handler: `base.${spec.name}`,
            interval_number: 1,
            interval_unit: 'days',
            ...values,
          }),
        world.admin,
      );
    },
    async cron(id) {
      const [row] = await world.work((env) => env.model('sys.cron').read([id]));
      return row as Readonly<Record<string, unknown>>;
    },
  };
}

function withJobs({ loaded }: Kernel, own: readonly JobSpec[]): Kernel['loaded'] {
  const base = loaded.definitions.get('base');
  if (!base) throw new Error('There is no base.');
  const definitions = new Map(loaded.definitions).set('base', { ...base, jobs: [...base.jobs, ...own] });
  return { ...loaded, definitions };
}
