import { defineAddon, defineQueue } from '@kontor/addon';
import { pressPage } from './models/page.ts';

export type * from './models/page.ts';

const print = defineQueue<{ readonly kills: boolean }>({
  name: 'print',
  model: 'press.page',
  leaseSeconds: 1,
  tries: { most: 3, waitMs: () => 60_000 },
  async prepare(env, { id }) {
    const [page] = await env.model('press.page').read([id], ['kills']);
    return page ? { work: { kills: page.kills } } : { is: 'left' };
  },
  run: async ({ kills }) => {
    if (kills) process.kill(process.pid, 'SIGKILL');
  },
});

export default defineAddon({ models: [pressPage], queues: [print] });
