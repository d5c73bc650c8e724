import { type JobSpec, type Kernel, systemActor } from '@kontor/kernel';
import { typedEnv } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';

interface DueJob {
  readonly id: number;
  readonly handler: string;
}

/** Runs a job of an active module, as the system. */
export async function runJob(kernel: Kernel, due: DueJob, signal: AbortSignal): Promise<void> {
  const job = findJob(kernel, due.handler);
  const cronId = due.id;
  const step = async <T>(work: (env: ReturnType<typeof typedEnv>) => Promise<T>): Promise<T> => {
    const { result } = await kernel.transact(systemActor, (env) => work(typedEnv(env)), { isSudo: true });
    return result;
  };
  if ('run' in job) await step((env) => job.run({ env, cronId }));
  else if ('runInSteps' in job) await job.runInSteps({ step, signal, cronId });
  else await job.runAsSystem(kernel, signal);
}

function findJob({ loaded }: Kernel, handler: string): JobSpec {
  const [module = '', name = ''] = handler.split('.');
  const job = loaded.definitions.get(module)?.jobs.find((each) => each.name === name);
  if (job) return job;
  throw new KontorError('NOT_FOUND', `The module ${module} has no job "${name}".`);
}
