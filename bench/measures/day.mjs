import { openClient, settled } from '../screen/open-client.mjs';

const list = '/web?action=bench.orders&view_type=list';
/** Everything that is kept for good is there after so many. */
const warmUp = 500;

/** A day's work in one window: list, record, back, cards, back, again and again. What is left after it must be what was there before. */
export async function measureDay(world, { navigations }) {
  const client = await openClient(world);
  try {
    const page = await client.open();
    const devtools = await page.context().newCDPSession(page);
    await page.goto(list);
    await settled(page);
    await work(page, Math.min(warmUp, navigations / 2));
    const before = await heldBy(devtools);
    const figures = [];
    for (let quarter = 0; quarter < 4; quarter++) {
      await work(page, navigations / 4);
      figures.push(await heldBy(devtools));
    }
    return rows(navigations, before, figures);
  } finally {
    await client.close();
  }
}

async function work(page, count) {
  await page.evaluate((times) => window.bench.work(times), count);
  await settled(page);
}

/** After a collection of what nobody holds any longer. */
async function heldBy(devtools) {
  for (let turn = 0; turn < 3; turn++) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}

function rows(navigations, before, figures) {
  const last = figures.at(-1);
  const growth = (name) => (100 * (last[name] - before[name])) / before[name];
  const text = (name, unit) => `${[before, ...figures].map((one) => unit(one[name])).join(', ')}`;
  const row = (measure, name, unit, most) => ({
    measure: `${measure} over ${navigations.toLocaleString('en-US')} navigations`,
    ours: `${text(name, unit)}: ${growth(name).toFixed(1)} %${growth(name) > most ? ' (missed)' : ''}`,
    goal: 'flat',
  });
  return [
    row('heap', 'heap', (bytes) => `${(bytes / 1e6).toFixed(1)} MB`, 5),
    row('nodes', 'nodes', String, 5),
    row('listeners', 'listeners', String, 5),
  ];
}
