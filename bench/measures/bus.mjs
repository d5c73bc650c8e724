import { spawn } from 'node:child_process';
import { median } from '../report/median.mjs';
import { openSessions } from '../world/open-sessions.mjs';

const sockets = 2_000;
const perSecond = 100;
/** The server lets one session have this many. */
const perSession = 50;

/** From a change's transaction to its message at the sockets, all of which may hear every change. */
export async function measureBus(world, { repetitions, seconds }) {
  const sessions = await openSessions(world, sockets / perSession);
  const tokens = sessions.flatMap((token) => Array(perSession).fill(token));
  const rounds = [];
  for (let round = 0; round < repetitions; round++) {
    const [warmUpId, last] = world.ranges.id;
    const firstId = last + 1 - (round + 1) * perSecond * seconds;
    const { host, headers, server } = world;
    const done = await run({
      host,
      headers,
      serverPid: server.pid,
      tokens,
      sockets,
      perSecond,
      seconds,
      firstId,
      warmUpId,
    });
    const share = done.heard / (done.changes * sockets);
    rounds.push({ ...(await latencies(world, done.arrivals)), share, cpu: done.cpu });
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

/** How long after the time that the database wrote beside each event, which is that of its transaction, it came. */
async function latencies({ client }, arrivals) {
  const asked = performance.timeOrigin + performance.now();
  const { rows: clock } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as now');
  const answered = performance.timeOrigin + performance.now();
  const ahead = Number(clock[0].now) - (asked + answered) / 2;
  const { rows } = await client.query(
    `select res_id as id, extract(epoch from max(create_date)) * 1000 as at from sys_change
     where model = 'bench.order' and res_id = any($1) group by 1`,
    [arrivals.map(([id]) => id)],
  );
  const writtenAt = new Map(rows.map(({ id, at }) => [id, Number(at) - ahead]));
  const all = arrivals.flatMap(([id, times]) => times.map((time) => time - writtenAt.get(id))).sort((a, b) => a - b);
  const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
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
