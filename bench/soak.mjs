import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startMixedLoad } from './soak/mixed-load.mjs';
import { connect } from './world/connect.mjs';
import { fill, idRanges, sizeOfW } from './world/fill.mjs';
import { firstRun, signIn } from './world/first-run.mjs';
import { openPlace } from './world/open-world.mjs';
import { residentMegabytes } from './world/process-usage.mjs';
import { cacheDir, embeddedDsn, startServer } from './world/server-process.mjs';

/**
 * Two processes on one database under mixed load at the knee, while the database and one of the two are killed and stopped in turn.
 * The other one lives all the time: its memory is what is looked at. Ends after the minutes or the requests that are allowed.
 */
const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    requests: { type: 'string', default: '10000000' },
    every: { type: 'string', default: '60' },
    clients: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [minutes, mostRequests, everySeconds] = [given.minutes, given.requests, given.every].map(Number);
const page = fileURLToPath(new URL('../docs/reliability.md', import.meta.url));
const block = /<!-- soak -->[\s\S]*<!-- \/soak -->/;

mkdirSync(cacheDir, { recursive: true });
const rows = await run();
const table = `| what | figure |\n|---|---|\n${rows.map(([what, figure]) => `| ${what} | ${figure} |`).join('\n')}`;
console.log(table);
if (given.write) {
  const about = `Measured on ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, Node ${process.version.slice(1)}.`;
  writeFileSync(page, readFileSync(page, 'utf8').replace(block, `<!-- soak -->\n${about}\n\n${table}\n<!-- /soak -->`));
}

async function run() {
  const place = await openPlace('soak');
  const servers = [];
  let home = null;
  try {
    // Holds the database and serves nobody, so that the other two can be killed without it.
    home = await startServer({ ...place, logFile: join(cacheDir, 'soak-home.log') });
    const people = await firstRun(home.url);
    const dsn = place.dsn ?? embeddedDsn(place.dataDir);
    const client = await connect(dsn);
    await fill(client, people, sizeOfW);
    const ranges = await idRanges(client, people);
    await client.end();
    for (const at of [0, 1]) servers.push(await start(place, dsn, at));
    // A session, which every process knows: pages are not for keys.
    const { headers } = await signIn(home.url, people.user);
    const asked = { places: () => servers.map(({ url }) => url), headers, ranges };
    const clients = given.clients ? Number(given.clients) : await findKnee(asked);
    const restart = async () => {
      servers[1] = await start(place, dsn, 1);
    };
    return await soak({ asked, clients, servers, restart, place, dsn });
  } finally {
    for (const server of servers) await server.stop();
    await home?.stop();
    await place.remove();
  }
}

/** With a place of its own: that of the database is held by who started it. */
function start({ dataDir }, dsn, at) {
  return startServer({ dataDir: join(dataDir, `process-${at}`), dsn, logFile: join(cacheDir, `soak-${at}.log`) });
}

/** The fewest clients that get nine tenths of the most answers a second. */
async function findKnee(asked) {
  const found = [];
  for (const clients of [4, 8, 16, 32, 64]) {
    const load = startMixedLoad({ ...asked, clients });
    await pause(5_000);
    await load.stop();
    found.push({ clients, rate: load.answered / 5 });
    console.log(`${clients} clients: ${(load.answered / 5).toFixed(0)} answers a second`);
  }
  const most = Math.max(...found.map(({ rate }) => rate));
  return found.find(({ rate }) => rate >= 0.9 * most).clients;
}

async function soak({ asked, clients, servers, restart, place, dsn }) {
  const load = startMixedLoad({ ...asked, clients });
  const began = performance.now();
  const isOver = () => performance.now() - began > minutes * 60_000 || load.answered >= mostRequests;
  const faults = faultsOf({ servers, restart, place });
  const names = Object.keys(faults);
  const injected = [];
  const memory = [];
  const sampling = setInterval(() => memory.push(residentMegabytes(servers[0].pid)), 2_000);
  try {
    while (!isOver()) {
      const until = performance.now() + everySeconds * 1_000;
      while (!isOver() && performance.now() < until) await pause(100);
      if (isOver()) break;
      const name = names[injected.length % names.length];
      await faults[name]();
      injected.push(name);
      console.log(`${((performance.now() - began) / 60_000).toFixed(1)} min: ${name}, ${load.answered} answered`);
    }
  } finally {
    clearInterval(sampling);
    await load.stop();
  }
  const seconds = (performance.now() - began) / 1_000;
  return figures({ load, seconds, clients, injected, memory, written: await writtenNames(dsn) });
}

function faultsOf({ servers, restart, place }) {
  return {
    'process killed': async () => {
      process.kill(servers[1].pid, 'SIGKILL');
      await restart();
    },
    ...(place.dsn
      ? {}
      : {
          'database killed': async () => {
            const home = embeddedHome(place.dataDir);
            process.kill(Number(readFileSync(join(home, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
          },
        }),
    'process stopped': async () => {
      await servers[1].stop();
      await restart();
    },
  };
}

function embeddedHome(dataDir) {
  try {
    return readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim();
  } catch {
    return join(dataDir, 'postgres');
  }
}

async function writtenNames(dsn) {
  const client = await connect(dsn);
  const { rows } = await client.query(`select name from bench_order where name like 'soak %'`);
  await client.end();
  return rows.map(({ name }) => name);
}

function figures({ load, seconds, clients, injected, memory, written }) {
  const kept = new Set(written);
  const lost = load.acknowledged.filter((name) => !kept.has(name)).length;
  const times = load.times.sort((a, b) => a - b);
  const at = (share) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`;
  const thirds = [0, 1, 2].map((part) => {
    const some = memory.slice(Math.floor((memory.length * part) / 3), Math.floor((memory.length * (part + 1)) / 3));
    return `${(some.reduce((sum, each) => sum + each, 0) / Math.max(1, some.length)).toFixed(0)} MB`;
  });
  const refused = [...load.refused].map(([code, count]) => `${code} ${count}`).join(', ') || 'none';
  return [
    ['minutes', (seconds / 60).toFixed(1)],
    ['clients, at the knee', clients],
    ['requests answered', `${load.answered}, ${(load.answered / seconds).toFixed(0)} a second`],
    ['half of them within, 99 of 100 within', `${at(0.5)}, ${at(0.99)}`],
    ['faults injected', `${injected.length}: ${countEach(injected)}`],
    ['changes acknowledged', load.acknowledged.length],
    ['acknowledged and lost', lost],
    ['requests not acknowledged', refused],
    ['memory of the process that lived, first, second and last third', thirds.join(', ')],
  ];
}

function countEach(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}
