import { openClient, settled } from '../screen/open-client.mjs';

const list = '/web?action=bench.orders&view_type=list';
const rows = '.list-row .list-link';
const cards = '.kanban-card';
const tab = (name) => `.seg a[aria-label="${name}"]`;
const rowHeight = 36;

/** The budgets of the client, in a real browser before the real server: what a person waits for, from hand to eye. */
export async function measureScreen(world, { repetitions }) {
  const manyLines = await addLines(world, 1_000);
  const client = await openClient(world);
  try {
    return [
      time('first list, cold', await firstList(client, repetitions * 3), 300),
      time('view switch, warm', await viewSwitches(client), 100),
      time('list to form, from memory', await listToForm(client), 50),
      keys('key to glyph, in a field', await typing(client, formOf(manyLines), 'Reference')),
      keys('key to glyph, among 1,000 lines', await typingInLines(client, formOf(manyLines))),
      frames('scroll through 10,000 rows', await scrolling(client)),
      await heapGrowth(client),
    ];
  } finally {
    await client.close();
  }
}

async function firstList(client, times) {
  const found = [];
  for (let run = 0; run <= times; run++) {
    const page = await client.open();
    await page.goto(list, { waitUntil: 'commit' });
    found.push(await page.evaluate((selector) => window.bench.appears(selector), rows));
    await page.context().close();
  }
  // The first one warms the server up, not the browser.
  return found.slice(1);
}

async function viewSwitches(client) {
  const page = await openList(client);
  const found = [];
  for (let run = 0; run < 12; run++) {
    found.push(await switchView(page, 'Kanban', cards), await switchView(page, 'List', rows));
  }
  await page.context().close();
  return found.slice(4);
}

async function switchView(page, name, shown) {
  const took = await page.evaluate(([click, selector]) => window.bench.switchTo(click, selector), [tab(name), shown]);
  await settled(page);
  return took;
}

async function listToForm(client) {
  const page = await openList(client);
  const found = [];
  for (let row = 0; row < 12; row++) {
    const link = `[data-row="${row}"] .list-link`;
    await page.waitForSelector(link);
    found.push(await page.evaluate(([click, form]) => window.bench.switchTo(click, form), [link, '.form-sheet input']));
    await settled(page);
    await page.goBack();
    await settled(page);
  }
  await page.context().close();
  return found.slice(2);
}

async function typing(client, path, label) {
  const page = await client.open();
  await page.goto(path);
  await settled(page);
  await page.getByLabel(label).click();
  return typed(page);
}

async function typingInLines(client, path) {
  const page = await client.open();
  await page.goto(path);
  await settled(page);
  await page.locator('.grid-row .grid-cell').nth(6).click();
  await page.waitForSelector('.grid-edit input');
  return typed(page);
}

async function typed(page) {
  await settled(page);
  await page.evaluate(() => window.bench.watchKeys());
  const busy = await watchThread(page);
  await page.keyboard.type('The quick brown fox jumps over the lazy dog. ', { delay: 70 });
  const found = await page.evaluate(() => window.bench.keys);
  const cpu = (await busy()) / found.length;
  await page.context().close();
  return { found, cpu };
}

/** What the page's own thread had of a processor since then, in milliseconds: a number that other work does not move. */
async function watchThread(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const now = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'ThreadTime').value;
  };
  const before = await now();
  return async () => (await now()) - before;
}

/** Fast enough to need new rows in every frame, and to leave those that are loaded behind. */
async function scrolling(client) {
  const page = await openList(client);
  const distance = 10_000 * rowHeight;
  const busy = await watchThread(page);
  const found = await page.evaluate(
    ([box, far, step]) => window.bench.scroll(box, far, step),
    ['.list-scroll', distance, distance / 600],
  );
  const reached = await page.evaluate(() => document.querySelector('.list-scroll').scrollTop);
  if (reached < distance * 0.9) throw new Error(`The list ended at ${reached} of ${distance} pixels.`);
  const cpu = (await busy()) / found.length;
  await page.context().close();
  return { found, cpu };
}

async function heapGrowth(client) {
  const page = await openList(client);
  const devtools = await page.context().newCDPSession(page);
  const turn = async (times) => {
    for (let run = 0; run < times; run++) {
      await switchView(page, 'Kanban', cards);
      await switchView(page, 'List', rows);
    }
  };
  const used = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    return { usedSize, code: await compiledCode(devtools) };
  };
  await turn(10);
  const before = await used();
  await turn(50);
  const after = await used();
  await page.context().close();
  const grown = after.usedSize - before.usedSize;
  const percent = (bytes) => (100 * bytes) / before.usedSize;
  const growth = percent(grown);
  const ofCode = percent(after.code - before.code);
  const ours = `${growth.toFixed(1)} %, of it ${ofCode.toFixed(1)} % compiled code`;
  return row('heap after 100 view switches', ours, '5 %', growth <= 5);
}

/** Bytes of the heap that hold what the engine compiled: it goes on compiling, better each time, what is called often. */
async function compiledCode(devtools) {
  let text = '';
  const take = ({ chunk }) => {
    text += chunk;
  };
  devtools.on('HeapProfiler.addHeapSnapshotChunk', take);
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  devtools.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot, nodes } = JSON.parse(text);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const code = types[type].indexOf('code');
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) if (nodes[at + type] === code) bytes += nodes[at + size];
  return bytes;
}

async function openList(client) {
  const page = await client.open();
  await page.goto(list);
  await settled(page);
  return page;
}

async function addLines({ client, ranges }, count) {
  const [id] = ranges.id;
  await client.query('delete from bench_line where order_id = $1', [id]);
  await client.query(
    `insert into bench_line (order_id, name, quantity, price, create_date, write_date)
     select $1, 'Line ' || k, k, 10, now(), now() from generate_series(1, $2::int4) k`,
    [id, count],
  );
  return id;
}

const formOf = (id) => `/web?action=bench.orders&view_type=form&id=${id}`;

function time(measure, found, goal) {
  const { median, worst } = spread(found);
  return row(
    measure,
    `${median.toFixed(0)} ms`,
    `${goal} ms`,
    median <= goal,
    `${median.toFixed(0)} / ${worst.toFixed(0)} ms`,
  );
}

function keys(measure, { found, cpu }) {
  const { median, worst } = spread(found);
  const ours = `${median.toFixed(1)} ms, worst ${worst.toFixed(0)}, CPU ${cpu.toFixed(1)}`;
  return row(measure, ours, '16 ms, worst 50', median <= 16 && worst <= 50);
}

function frames(measure, { found, cpu }) {
  const { median, worst } = spread(found);
  const late = found.filter((frame) => frame > 50).length;
  const ours = `${late} of ${found.length} frames over 50 ms, CPU ${cpu.toFixed(0)}`;
  return row(measure, ours, 'none', late === 0, `${median.toFixed(0)} / ${worst.toFixed(0)} ms`);
}

function spread(found) {
  const sorted = [...found].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], worst: sorted.at(-1) };
}

function row(measure, ours, goal, isMet, latency) {
  return { measure, ours: isMet ? ours : `${ours} (missed)`, goal, latency };
}
