import { join } from 'node:path';
import { median } from '../report/median.mjs';
import { setUp } from '../world/first-run.mjs';
import { openPlace } from '../world/open-world.mjs';
import { cacheDir, startServer } from '../world/server-process.mjs';

/** From the command to the line that says where to open it: on an empty directory, and again once it is set up. */
export async function measureStart({ repetitions }) {
  const firsts = [];
  const laters = [];
  while (laters.length < repetitions) {
    const { first, later } = await startTwice();
    // A start that had to build first is the build's, not its own.
    if (first === null || later === null) continue;
    firsts.push(first);
    laters.push(later);
  }
  return [
    { measure: 'start, empty directory', ours: `${(median(firsts) / 1_000).toFixed(2)} s`, goal: '5 s' },
    { measure: 'start, later', ours: `${(median(laters) / 1_000).toFixed(2)} s`, goal: '0.4 s' },
  ];
}

async function startTwice() {
  const place = await openPlace('start');
  try {
    const first = await start(place, (server) => setUp(server.url, ''));
    const later = await start(place, async () => {});
    return { first, later };
  } finally {
    await place.remove();
  }
}

async function start(place, use) {
  const startedAt = performance.now();
  const server = await startServer({ ...place, logFile: join(cacheDir, 'start.log') });
  try {
    const answer = await fetch(`${server.url}/api/health`);
    const took = performance.now() - startedAt;
    if (!answer.ok) throw new Error(`The first answer was ${answer.status}.`);
    await use(server);
    return server.hasBuilt ? null : took;
  } finally {
    await server.stop();
  }
}
