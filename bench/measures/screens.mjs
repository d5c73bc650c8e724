import { frameWork } from '../screen/frame-work.mjs';
import { openClient, settled } from '../screen/open-client.mjs';
import { callAs, signIn } from '../world/first-run.mjs';

const rowHeight = 36;
const frames = 300;

/**
 * The length of frames while large screens are scrolled, with the processor as it is and at a quarter of its speed (the browser's own
 * throttle). The time between two frames is what a person sees. One more run tells what the page's own thread had of a processor for each
 * frame, which other work on the machine moves little.
 */
export async function measureScreens(world, { repetitions, screens = '' }) {
  const rows = [];
  const client = await openClient(world);
  try {
    for (const screen of await prepare(world)) {
      if (!screen.name.includes(screens)) continue;
      for (const throttle of [1, 4]) {
        const runs = [];
        for (let run = 0; run < repetitions; run++) runs.push(await scrolled(client, screen, throttle));
        const { work } = await scrolled(client, screen, throttle, frameWork);
        rows.push(row(screen, throttle, runs, work));
      }
    }
    return rows;
  } finally {
    await client.close();
  }
}

/** Makes what is scrolled; each screen says where it is, what to do before, and by how much it is scrolled a frame. */
async function prepare(world) {
  const { headers } = await signIn(world.server.url, world.people.admin);
  const rpc = (model, method, ...args) => callAs(world.server.url, headers, { model, method, args });
  const lines = await addLines(world, 1_000);
  const board = await addBoard(rpc);
  const domain = async (count) => {
    const { rows } = await world.client.query(
      `select max(id) as last from (select id from bench_order where company_id = $2 order by id limit $1) o`,
      [count, world.people.companyId],
    );
    return encodeURIComponent(JSON.stringify([['id', '<=', rows[0].last]]));
  };
  const grouped = await domain(50_000);
  return [
    {
      name: 'grouped list of 50,000 rows',
      path: `/web?action=bench.orders&view_type=list&group_by=date_order:month&domain=${grouped}`,
      box: '.list-scroll',
      before: unfoldAll,
      step: 17 * rowHeight,
    },
    {
      name: 'the same by its scroll bar',
      path: `/web?action=bench.orders&view_type=list&group_by=date_order:month&domain=${grouped}`,
      box: '.list-scroll',
      before: unfoldAll,
      isWhole: true,
    },
    { name: 'form of 1,000 lines', path: formOf('bench.order', lines), box: '.grid-scroll', step: 100 },
    { name: 'board of 12 tiles', path: formOf('sys.board', board), box: '.board-grid', step: 8 },
    {
      name: 'kanban of 2,000 cards',
      path: `/web?action=bench.orders&view_type=kanban&domain=${await domain(2_000)}`,
      box: '[data-column=\'"sale"\'] .kanban-cards',
      step: 300,
    },
  ];
}

const formOf = (model, id) => `/web?model=${model}&view_type=form&id=${id}`;

async function unfoldAll(page) {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Expand all groups' }).click();
  await settled(page);
}

async function scrolled(client, { path, box, step, isWhole, before }, throttle, watch = watchNothing) {
  const page = await client.open();
  const devtools = await page.context().newCDPSession(page);
  try {
    await page.goto(path);
    await settled(page);
    await before?.(page);
    await page.waitForSelector(box);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    const busy = await watchThread(devtools);
    const work = await watch(page);
    const found = await page.evaluate((given) => window.bench.scrollBy(given), { box, step, isWhole, frames });
    return { found, cpu: (await busy()) / found.length, work: await work() };
  } finally {
    await page.context().close();
  }
}

const watchNothing = async () => async () => [];

/** What the page's own thread had of a processor since then, in milliseconds: a number that other work moves little. */
async function watchThread(devtools) {
  await devtools.send('Performance.enable');
  const now = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'ThreadTime').value;
  };
  const before = await now();
  return async () => (await now()) - before;
}

async function addLines({ client, ranges }, count) {
  const id = ranges.id[0] + 1;
  await client.query('delete from bench_line where order_id = $1', [id]);
  await client.query(
    `insert into bench_line (order_id, name, quantity, price, create_date, write_date)
     select $1, 'Line ' || k, k, 10, now(), now() from generate_series(1, $2::int4) k`,
    [id, count],
  );
  return id;
}

const kinds = [
  { kind: 'figure', query: 'group_by=date_order:month&measure=amount_total&kind=line', width: 3, height: 1 },
  { kind: 'graph', query: 'group_by=date_order:month&measure=amount_total&kind=bar', width: 6, height: 2 },
  { kind: 'graph', query: 'group_by=state&measure=amount_total&kind=bar', width: 6, height: 2 },
  { kind: 'list', query: 'sort=-date_order', width: 6, height: 2 },
];

async function addBoard(rpc) {
  const tile = (n) => ({ name: `Tile ${n}`, action: 'bench.orders', sequence: n, ...kinds[n % kinds.length] });
  const tiles = Array.from({ length: 12 }, (_, n) => ['create', tile(n)]);
  return rpc('sys.board', 'create', { name: 'Bench', tile_ids: tiles });
}

/** All frames of all runs; none may be late. */
function row({ name }, throttle, runs, work) {
  const goal = throttle === 1 ? 50 : 100;
  const sorted = runs.flatMap(({ found }) => found).sort((a, b) => a - b);
  const cpu = median(runs.map((run) => run.cpu));
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const [middle, most, worst] = [at(0.5), at(0.99), sorted.at(-1)];
  const late = sorted.filter((frame) => frame > goal).length;
  const heavy = work.filter((frame) => frame > goal).length;
  const ours = `${late} of ${sorted.length} frames over ${goal} ms, worst ${worst.toFixed(0)}; CPU ${cpu.toFixed(1)}, ${heavy} of ${work.length} frames over ${goal} ms of it, worst ${Math.max(...work).toFixed(0)}`;
  return {
    measure: `${name}${throttle === 1 ? '' : `, ${throttle} times slower`}`,
    ours: late === 0 ? ours : `${ours} (missed)`,
    goal: 'none',
    latency: `${middle.toFixed(0)} / ${most.toFixed(0)} ms`,
  };
}

function median(found) {
  return found.sort((a, b) => a - b)[Math.floor(found.length / 2)];
}
