import { type Kernel, ofInstalled, type Queue } from '@kontor/kernel';
import { type RunningQueue, type StartOptions, startQueue } from './start-queue.ts';

interface Running {
  readonly queue: Queue;
  readonly service: RunningQueue;
}

const lookMs = 5_000;

/** Runs the queues of all installed modules, as the newest modules have them, until it is stopped. */
export function startQueues(kernel: Kernel, options: StartOptions = {}): { stop(): Promise<void> } {
  const running = new Map<string, Running>();
  const ending = new Set<Promise<void>>();

  function stopOne(name: string, { service }: Running): void {
    running.delete(name);
    const ended: Promise<void> = service.stop().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  function compare(): void {
    const installed = addonQueues(kernel);
    for (const [name, one] of running) if (installed.get(name) !== one.queue) stopOne(name, one);
    for (const [name, queue] of installed) {
      if (running.has(name)) continue;
      running.set(name, { queue, service: startQueue(kernel, { ...queue, name }, options) });
    }
  }

  const stopHearing = kernel.on('modules', compare);
  const timer = setInterval(compare, lookMs);
  compare();
  return {
    async stop() {
      stopHearing();
      clearInterval(timer);
      for (const [name, one] of running) stopOne(name, one);
      await Promise.all(ending);
    },
  };
}

/** The queues of installed modules by `module.name`. */
export const addonQueues = (kernel: Pick<Kernel, 'loaded'>): ReadonlyMap<string, Queue> =>
  ofInstalled(kernel, (addon) => addon.queues);
