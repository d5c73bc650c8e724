import { readdir, readFile } from 'node:fs/promises';
import type { KernelLog } from '@kontor/kernel';

const lookMs = 2_000;
/** Above this share of the limit connections will soon be dropped; below the other one the warning is over. */
const [highPart, lowPart] = [0.9, 0.8];

/**
 * Logs when this process runs out of file descriptors: the system then drops connections before the server sees them. Only Linux
 * reports the number of open ones.
 */
export function watchDescriptors(log: KernelLog): { stop(): void } {
  let isHigh = false;

  async function look(): Promise<void> {
    const { open, limit } = await countDescriptors();
    if (!isHigh && open >= limit * highPart) {
      isHigh = true;
      log.error({ open, limit }, 'almost all file descriptors are used: connections are refused until others end');
    } else if (isHigh && open < limit * lowPart) {
      isHigh = false;
      log.info({ open, limit }, 'there are enough file descriptors again');
    }
  }

  const timer = setInterval(() => {
    look().catch((error: NodeJS.ErrnoException) => {
      if (!['EMFILE', 'ENFILE'].includes(error.code ?? '') || isHigh) return;
      isHigh = true;
      log.error({ code: error.code }, 'all file descriptors are used: connections are refused until others end');
    });
  }, lookMs).unref();
  return { stop: () => clearInterval(timer) };
}

async function countDescriptors(): Promise<{ readonly open: number; readonly limit: number }> {
  const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')]);
  return { open: open.length, limit: Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY) };
}
