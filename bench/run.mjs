import { mkdirSync } from 'node:fs';
import { arch, availableParallelism, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { findPgbench } from './limit/find-pgbench.mjs';
import { measureAccounting } from './measures/accounting.mjs';
import { appMeasures } from './measures/app-calls.mjs';
import { measureAttacks } from './measures/attacks.mjs';
import { measureBulk } from './measures/bulk.mjs';
import { measureBus } from './measures/bus.mjs';
import { callMeasures } from './measures/calls.mjs';
import { measureAdding, measureCustom } from './measures/custom.mjs';
import { measureDay } from './measures/day.mjs';
import { measureExport, measurePdf } from './measures/exports.mjs';
import { figureMeasures, measureFigures } from './measures/figures.mjs';
import { measureGrowth } from './measures/growth.mjs';
import { measureImport } from './measures/import.mjs';
import { measureMail } from './measures/mail.mjs';
import { measureCall } from './measures/measure-call.mjs';
import { measureMemory } from './measures/memory.mjs';
import { measureScreen } from './measures/screen.mjs';
import { measureScreens } from './measures/screens.mjs';
import { measureStart } from './measures/start.mjs';
import { startPostGraphile } from './peers/postgraphile.mjs';
import { toTable } from './report/table.mjs';
import { writePage } from './report/write-page.mjs';
import { openWorld } from './world/open-world.mjs';
import { cacheDir } from './world/server-process.mjs';

const figures = [...figureMeasures.map(({ name }) => name), 'board'];
const kept = ['memory', 'growth', ...figures, 'import', 'export', 'pdf', 'bus', 'screen', 'screens', 'custom'];
/** These need the shipped CRM and sales, which the others are measured without. */
const ofApps = [...appMeasures.map(({ name }) => name), 'bulk', 'mail'];
/** These need invoicing as well. */
const ofInvoicing = ['accounting'];
const built = ['start', ...callMeasures.map(({ name }) => name), ...kept, ...ofApps, ...ofInvoicing];
/** An order is made and confirmed, and a lead moved: one name for three rows. */
const together = { order: ['order', 'confirm', 'move'] };
/** Too long for every run: only where it is asked for by name. */
const onDemand = ['day', 'adding'];
const onDemandOfApps = ['attacks'];
const known = [...built, ...onDemand, ...onDemandOfApps];

const { values: given } = parseArgs({
  options: {
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    repetitions: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    times: { type: 'string', default: '10' },
    rows: { type: 'string', default: '100000' },
    screens: { type: 'string', default: '' },
    navigations: { type: 'string', default: '10000' },
    peers: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (given.help) {
  console.log(`npm run bench -- [--only ${known[0]},…] [--write] [--seconds 4] [--repetitions 3] [--profile] [--peers]
docs/performance.md explains each option. Measures: ${known.join(', ')}.`);
  process.exit(0);
}
const wanted = chosen(given.only);
const options = {
  ...{ repetitions: Number(given.repetitions), seconds: Number(given.seconds), times: Number(given.times) },
  rows: Number(given.rows),
  screens: given.screens,
  navigations: Number(given.navigations),
  pgbench: findPgbench(),
};
mkdirSync(cacheDir, { recursive: true });

const { rows, version } = await measure();
const table = toTable(rows);
console.log(`\n${table}`);
if (given.write) {
  const place = `${availableParallelism()} cores (${platform()} ${arch()})`;
  writePage(table, [new Date().toISOString().slice(0, 10), place, `Node ${process.version.slice(1)}`, version]);
}

async function measure() {
  const found = [];
  const add = (...more) => {
    for (const row of more) console.log(`${row.measure}: ${row.ours}${row.ratio ? `, ${row.ratio.toFixed(2)}` : ''}`);
    found.push(...more);
  };
  if (wanted.has('start')) add(...(await measureStart(options)));
  const nodeFlags = given.profile ? ['--cpu-prof', `--cpu-prof-dir=${cacheDir}`] : [];
  let version = 'PostgreSQL as embedded';
  const others = built.filter((name) => !['start', ...ofApps, ...ofInvoicing].includes(name));
  for (const [names, apps, measureAll] of [
    [[...others, ...onDemand], [], measureOrders],
    [[...ofApps, ...onDemandOfApps], ['crm', 'sale_crm'], measureApps],
    [ofInvoicing, ['invoice'], measureInvoicing],
  ]) {
    if (!names.some((name) => wanted.has(name))) continue;
    const world = await openWorld({ nodeFlags, apps });
    try {
      await measureAll(world, add);
      const [{ server_version: text }] = (await world.client.query('show server_version')).rows;
      version = `PostgreSQL ${text.split(' ')[0]}`;
    } finally {
      await world.close();
    }
  }
  return { rows: found, version };
}

async function measureOrders(world, add) {
  await measureCalls(world, add);
  if (wanted.has('memory')) add(...(await measureMemory(world, options)));
  if (wanted.has('growth')) add(...(await measureGrowth(world, options)));
  if (figures.some((name) => wanted.has(name))) add(...(await measureFigures(world, wanted, options)));
  if (wanted.has('import')) add(...(await measureImport(world, options)));
  if (wanted.has('export')) add(...(await measureExport(world, options)));
  if (wanted.has('pdf')) add(...(await measurePdf(world, options)));
  if (wanted.has('bus')) add(...(await measureBus(world, options)));
  if (wanted.has('screen')) add(...(await measureScreen(world, options)));
  if (wanted.has('screens')) add(...(await measureScreens(world, options)));
  if (wanted.has('custom')) add(await measureCustom(world, options));
  if (wanted.has('adding')) add(...(await measureAdding(world)));
  if (wanted.has('day')) add(...(await measureDay(world, options)));
}

async function measureCalls(world, add) {
  const peer = given.peers ? await startPostGraphile(world) : null;
  try {
    for (const each of callMeasures)
      if (wanted.has(each.name)) add(await measureCall(world, each, { ...options, peer }));
  } finally {
    await peer?.stop();
  }
}

async function measureApps(world, add) {
  for (const each of appMeasures) if (wanted.has(each.name)) add(await measureCall(world, each, options));
  if (wanted.has('bulk')) add(await measureBulk(world, options));
  if (wanted.has('mail')) add(await measureMail(world, options));
  if (wanted.has('attacks')) add(...(await measureAttacks(world)));
}

async function measureInvoicing(world, add) {
  add(...(await measureAccounting(world, options)));
}

function chosen(only) {
  if (only === undefined) return new Set(built);
  const names = only.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no measure "${unknown}". Measures: ${known.join(', ')}.`);
    process.exit(1);
  }
  return new Set(names.flatMap((name) => together[name] ?? [name]));
}
