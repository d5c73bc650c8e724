import { defineAddon } from '@kontor/addon';
import { probeRun } from './models/run.ts';

export default defineAddon({
  models: [probeRun],
  jobs: [
    {
      name: 'note',
      runInSteps: async ({ step, cronId }) => {
        const began = new Date().toISOString();
        const id = await step((env) => env.model('probe.run').create({ cron: cronId, process: process.pid, began }));
        // Work of some length, so that a second run at the same time would be seen.
        for (let n = 0; n < 5; n++) await step((env) => env.model('probe.run').count([]));
        await step((env) => env.model('probe.run').write([id], { ended: new Date().toISOString() }));
      },
    },
  ],
});
