import { median } from '../report/median.mjs';
import { fill, idRanges, sizeOfW } from '../world/fill.mjs';
import { openWorld } from '../world/open-world.mjs';
import { compiled, driveCall } from './measure-call.mjs';

const names = { list: '1.1', page1000: '1.2', read: '1.1', group: 'as the database', count: 'as the database' };

/**
 * One caller at a time, on W and on so many times W: how much longer does each call take? Two servers, asked by turns, so that
 * whatever else the machine does falls on both, each of them first in every other round. Leaves the world grown.
 */
export async function measureGrowth(world, { seconds, times, repetitions }) {
  const size = Object.fromEntries(Object.entries(sizeOfW).map(([name, count]) => [name, count * times]));
  await fill(world.client, world.people, size);
  const grown = { ...world, ranges: await idRanges(world.client, world.people) };
  const small = await openWorld({ name: 'small' });
  const rounds = [];
  try {
    for (const world of [small, grown]) {
      for (const name of ['list', 'read']) await driveCall(world, name, { connections: 1, ...compiled });
    }
    for (let round = 0; round < repetitions; round++)
      rounds.push(await askBoth(small, grown, seconds, round % 2 === 1));
  } finally {
    await small.close();
  }
  return Object.entries(names).map(([name, goal]) => {
    const of = (key) => median(rounds.map((round) => round[name][key]));
    return {
      measure: `growth of ${name}, W${times} to W`,
      ours: `${of('grown').toFixed(1)} ms`,
      limit: `${of('small').toFixed(1)} ms`,
      ratio: of('ratio'),
      goal,
    };
  });
}

async function askBoth(small, grown, seconds, isGrownFirst) {
  const found = {};
  for (const name of Object.keys(names)) {
    const ask = async (world) => (await driveCall(world, name, { connections: 1, seconds, warmUpSeconds: 0.5 })).p50;
    const first = await ask(isGrownFirst ? grown : small);
    const second = await ask(isGrownFirst ? small : grown);
    const [before, after] = isGrownFirst ? [second, first] : [first, second];
    found[name] = { small: before, grown: after, ratio: after / before };
  }
  return found;
}
