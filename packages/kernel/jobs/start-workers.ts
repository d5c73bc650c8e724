import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type ConnectionConfig, createSessionLocks } from '@kontor/database';
import type { Kernel } from '../kernel.ts';
import { hasMail } from '../mail/send-mail.ts';
import { startMail } from '../mail/start-mail.ts';
import { startJobs } from './start-jobs.ts';

export interface Workers {
  /** Takes nothing new, and waits a while for what is in hand. */
  stop(): Promise<void>;
}

/** Names the locks of scheduled jobs among all advisory locks of the database. */
const cronLocks = 0x6b63_726e;

/** What a process does besides answering: scheduled jobs where they are switched on, and mail where it is set up. */
export function startWorkers(kernel: Kernel, connection: ConnectionConfig): Workers {
  const owner = `${hostname().slice(0, 40)}:${process.pid}:${randomBytes(4).toString('hex')}`;
  const jobs = kernel.config.cronEnabled ? startJobWorker(kernel, connection, owner) : null;
  const mail = hasMail(kernel.config) ? startMail(kernel, owner) : null;
  return {
    async stop() {
      await Promise.all([jobs?.stop(), mail?.stop()]);
    },
  };
}

function startJobWorker(kernel: Kernel, connection: ConnectionConfig, owner: string): Workers {
  const locks = createSessionLocks(connection, cronLocks, { warn: (message) => kernel.log.warn({}, message) });
  const jobs = startJobs(kernel, { locks, owner });
  return {
    async stop() {
      await jobs.stop();
      await locks.close();
    },
  };
}
