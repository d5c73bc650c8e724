import type { KernelJobSpec } from '../addons/define-addon.ts';
import { runCronAutomations } from '../automations/run-cron-automations.ts';
import { sweepExpired } from '../identity/sweep-expired.ts';
import { systemActor } from '../runtime/load-actor.ts';
import { deleteOld, type OldRows } from './delete-old.ts';

/** Events are read within a second; an hour is for a process that was cut off. */
const oldEvents: readonly OldRows[] = [
  { table: 'sys_outbox', column: 'create_date', age: '1 hour' },
  { table: 'sys_presence', column: 'seen_at', age: '1 hour' },
];
const oldLogs: readonly OldRows[] = [
  { table: 'sys_log', column: 'at', age: '30 days' },
  { table: 'sys_cron_run', column: 'started_at', age: '14 days' },
  { table: 'mail_queue', column: 'write_date', age: '14 days', states: ['sent'] },
  { table: 'mail_queue', column: 'write_date', age: '90 days', states: ['dead'] },
  { table: 'sys_notification', column: 'create_date', age: '60 days' },
];
const oldDrafts: readonly OldRows[] = [
  {
    table: 'sys_bulk_import',
    column: 'write_date',
    age: '7 days',
    states: ['draft', 'running', 'failed', 'cancelled'],
  },
  { table: 'sys_bulk_import', column: 'write_date', age: '30 days', states: ['done'] },
];
const oldChanges: readonly OldRows[] = [{ table: 'sys_change_set', column: 'create_date', age: '60 days' }];

/**
 * What the kernel does by itself from time to time. They belong to the module that lists them in its addon, `base`, whose data
 * say when.
 *
 * @example
 * export default defineAddon({ jobs: [...systemJobs] });
 */
export const systemJobs: readonly KernelJobSpec[] = [
  {
    name: 'clean_sessions',
    async runInKernel({ database, config }) {
      await sweepExpired(database, { idleMinutes: config.sessionIdleMinutes, maxDays: config.sessionMaxDays });
    },
  },
  cleanup('clean_events', oldEvents),
  cleanup('clean_logs', oldLogs),
  {
    name: 'clean_drafts',
    async runInKernel({ database, registry }, signal) {
      const dialogs = [...registry.models.values()].filter((model) => model.isTransient);
      const answered = dialogs.map(({ table }) => ({ table, column: 'write_date', age: '1 day' }));
      for (const rows of [...oldDrafts, ...answered]) await deleteOld(database, rows, signal);
    },
  },
  cleanup('clean_changes', oldChanges),
  {
    name: 'run_automations',
    async runInKernel(kernel) {
      await kernel.transact(systemActor, runCronAutomations, { isSudo: true });
    },
  },
];

function cleanup(name: string, kinds: readonly OldRows[]): KernelJobSpec {
  return {
    name,
    async runInKernel({ database }, signal) {
      for (const rows of kinds) await deleteOld(database, rows, signal);
    },
  };
}
