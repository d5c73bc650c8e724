import { createSessionLocks, sql } from '@kontor/database';
import { definePart, type Kernel } from '@kontor/kernel';
import { startQueues } from '../queue/start-queues.ts';
import { maxFailures } from './claim-jobs.ts';
import { sysCron, sysCronRun } from './cron.ts';
import { refreshDays } from './refresh-days.ts';
import { type JobWorker, startJobs } from './start-jobs.ts';
import { startWorkers } from './start-workers.ts';
import { cleanDialogs } from './system-jobs.ts';

/** Names the locks of scheduled jobs among all advisory locks of the database. */
const cronLocks = 0x6b63_726e;

/** Scheduled jobs, and the workers and queues of addons. */
export const jobsPart = definePart({
  name: 'jobs',
  models: [sysCron, sysCronRun],
  jobs: [cleanDialogs, refreshDays],
  expires: { clean_logs: [{ model: 'sys.cron.run', column: 'started_at', age: '14 days' }] },
  counts: {
    'jobs.active': sql`select count(*) from sys_cron where active`,
    'jobs.due': sql`select count(*) from sys_cron where active and next_call <= now()`,
    'jobs.paused': sql`select count(*) from sys_cron where not active and failures >= ${maxFailures}::int4`,
    'jobs.failing': sql`select count(*) from sys_cron where failures > 0`,
  },
  start: (kernel) => (kernel.config.cronEnabled ? startWorker(kernel) : null),
  stop: async (worker) => worker?.stop(),
});

function startWorker(kernel: Kernel): JobWorker {
  const locks = createSessionLocks(kernel.connection, cronLocks, { warn: (message) => kernel.log.warn({}, message) });
  const jobs = startJobs(kernel, { locks, owner: kernel.process });
  const workers = startWorkers(kernel);
  const queues = startQueues(kernel);
  return {
    async stop() {
      await Promise.all([jobs.stop(), workers.stop(), queues.stop()]);
      await locks.close();
    },
  };
}
