import type { SystemJobSpec } from '@kontor/kernel';
import { deleteOld } from './delete-old.ts';

/** What people were asked in dialogs is of no use a day later. */
export const cleanDialogs: SystemJobSpec = {
  name: 'clean_drafts',
  async runAsSystem(runtime, signal) {
    const dialogs = [...runtime.registry.models.values()].filter((model) => model.isTransient);
    for (const { name } of dialogs) {
      await deleteOld(runtime, { model: name, column: 'write_date', age: '1 day' }, signal);
    }
  },
};
