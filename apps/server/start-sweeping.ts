import { type Kernel, sweepExpired } from '@kontor/kernel';

const everyMs = 10 * 60_000;

/** Every process sweeps now and then; that several do it harms nobody. Returns how to stop. */
export function startSweeping({ config, database, log }: Kernel): () => void {
  const limits = { idleMinutes: config.sessionIdleMinutes, maxDays: config.sessionMaxDays };
  const sweep = (): void => {
    sweepExpired(database, limits).catch((error: unknown) =>
      log.warn({ err: error }, 'expired entries were not swept'),
    );
  };
  const timer = setInterval(sweep, everyMs).unref();
  return () => clearInterval(timer);
}
