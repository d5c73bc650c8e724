import { fill, idRanges, sizeOfW } from '../world/fill.mjs';
import { driveCall } from './measure-call.mjs';

const names = { list: '1.1', page1000: '1.2', read: '1.1', group: 'as the database', count: 'as the database' };

/** One caller at a time, on W and on so many times W: how much longer does each call take? Leaves the world grown. */
export async function measureGrowth(world, { seconds, times }) {
  const before = await medians(world, seconds);
  const size = Object.fromEntries(Object.entries(sizeOfW).map(([name, count]) => [name, count * times]));
  await fill(world.client, world.people, size);
  const after = await medians({ ...world, ranges: await idRanges(world.client, world.people) }, seconds);
  return Object.entries(names).map(([name, goal]) => ({
    measure: `growth of ${name}, W${times} to W`,
    ours: `${after[name].toFixed(1)} ms`,
    limit: `${before[name].toFixed(1)} ms`,
    ratio: after[name] / before[name],
    goal,
  }));
}

async function medians(world, seconds) {
  const found = {};
  for (const name of Object.keys(names)) {
    const { p50 } = await driveCall(world, name, { connections: 1, seconds, warmUpSeconds: 0.5 });
    found[name] = p50;
  }
  return found;
}
