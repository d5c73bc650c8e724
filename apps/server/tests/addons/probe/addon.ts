import { setTimeout as pause } from 'node:timers/promises';
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
        await pause(5);
        await step((env) => env.model('probe.run').write([id], { ended: new Date().toISOString() }));
      },
    },
  ],
});
