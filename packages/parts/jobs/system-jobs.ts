import type { OldRows, Part, Runtime, SystemJobSpec } from '@kontor/kernel';
import { deleteOld } from './delete-old.ts';

/** The jobs of parts by name: the job itself, and then the deletion of expired rows. */
export function systemJobsOf(parts: readonly Part[]): readonly SystemJobSpec[] {
  const names = parts.flatMap(({ jobs, expires }) => [...jobs.map(({ name }) => name), ...Object.keys(expires)]);
  return [...new Set(names)].map((name) => ({
    name,
    async runAsSystem(runtime, signal) {
      for (const part of parts) await runJobOf(part, name, runtime, signal);
    },
  }));
}

async function runJobOf({ jobs, expires }: Part, name: string, runtime: Runtime, signal: AbortSignal): Promise<void> {
  for (const job of jobs) if (job.name === name) await job.runAsSystem(runtime, signal);
  const old: readonly OldRows[] = expires[name] ?? [];
  for (const rows of old) await deleteOld(runtime, rows, signal);
}

/** Records of dialogs are deleted after a day. */
export const cleanDialogs: SystemJobSpec = {
  name: 'clean_drafts',
  async runAsSystem(runtime, signal) {
    const dialogs = [...runtime.registry.models.values()].filter((model) => model.isTransient);
    for (const { name } of dialogs) {
      await deleteOld(runtime, { model: name, column: 'write_date', age: '1 day' }, signal);
    }
  },
};
