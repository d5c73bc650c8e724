import { spawn } from 'node:child_process';
import { median } from '../report/median.mjs';
import { openSessions } from '../world/open-sessions.mjs';
import { cpuSeconds } from '../world/process-usage.mjs';

const sockets = 2_000;
const perSecond = 100;
/** The server lets one session have this many. */
const perSession = 50;

/** From the answer to a change to its message at every socket, with all sockets allowed to hear every change. */
export async function measureBus(world, { repetitions, seconds }) {
  const sessions = await openSessions(world, sockets / perSession);
  const tokens = sessions.flatMap((token) => Array(perSession).fill(token));
  const rounds = [];
  for (let round = 0; round < repetitions; round++) {
    const before = cpuSeconds(world.server.pid);
    const firstId = world.ranges.id[0] + round * perSecond * seconds;
    const { host, headers } = world;
    const done = await run({ host, headers, tokens, sockets, perSecond, seconds, firstId });
    const after = cpuSeconds(world.server.pid);
    rounds.push({ ...done, share: done.heard / (done.changes * sockets), cpu: (after - before) / seconds });
  }
  const of = (key) => median(rounds.map((round) => round[key]));
  return [
    {
      measure: `bus, ${sockets} sockets, ${perSecond} changes/s`,
      ours: `${(of('share') * 100).toFixed(1)} % heard`,
      goal: 'p99 60 ms',
      latency: `${of('p50').toFixed(1)} / ${of('p99').toFixed(1)} ms`,
      cpu: `${of('cpu').toFixed(2)} cores`,
    },
  ];
}

async function run(job) {
  const child = spawn(process.execPath, [new URL('../load/bus-load.mjs', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(job));
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  if (text === '') throw new Error('The bus could not be measured.');
  return JSON.parse(text);
}
