import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { median } from '../report/median.mjs';
import { cpuSeconds } from '../world/process-usage.mjs';

const sockets = 2_000;
const perSecond = 100;
/** The server lets one session have this many. */
const perSession = 50;

/** From the answer to a change to its message at every socket, with all sockets allowed to hear every change. */
export async function measureBus(world, { repetitions, seconds }) {
  const tokens = await openSessions(world);
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
      goal: 'p99 100 ms',
      latency: `${of('p50').toFixed(1)} / ${of('p99').toFixed(1)} ms`,
      cpu: `${of('cpu').toFixed(2)} cores`,
    },
  ];
}

async function openSessions({ client, people }) {
  const tokens = Array.from({ length: sockets / perSession }, () => randomBytes(32).toString('hex'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  await client.query(
    `insert into sys_session (user_id, token_hash, company_id, started_at, last_seen_at, create_date)
     select $1, hash, $2, now(), now(), now() from unnest($3::text[]) as hash`,
    [people.userId, people.companyId, hashes],
  );
  return tokens.flatMap((token) => Array(perSession).fill(token));
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
