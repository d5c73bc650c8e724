import { mkdirSync } from 'node:fs';
import { arch, availableParallelism, platform } from 'node:os';
import { parseArgs } from 'node:util';
import { findPgbench } from './limit/find-pgbench.mjs';
import { measureBus } from './measures/bus.mjs';
import { callMeasures, leadMeasures } from './measures/calls.mjs';
import { measureDay } from './measures/day.mjs';
import { measureExport, measurePdf } from './measures/exports.mjs';
import { figureMeasures, measureFigures } from './measures/figures.mjs';
import { measureGrowth } from './measures/growth.mjs';
import { measureImport } from './measures/import.mjs';
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
const kept = ['memory', 'growth', ...figures, 'import', 'export', 'pdf', 'bus', 'screen', 'screens'];
const built = ['start', ...callMeasures.map(({ name }) => name), ...kept];
/** Too long for every run: only where it is asked for by name. */
const onDemand = ['day'];
/** Measures whose subject does not exist yet; each becomes a file in measures/ with it. */
const toCome = ['processes'];

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
  },
});
const wanted = chosen(given.only);
const hasLeads = leadMeasures.some((name) => wanted.has(name));
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
  const needsWorld = [...wanted].some((name) => name !== 'start');
  if (!needsWorld) return { rows: found, version: 'PostgreSQL as embedded' };
  const world = await openWorld({
    nodeFlags: given.profile ? ['--cpu-prof', `--cpu-prof-dir=${cacheDir}`] : [],
    hasLeads,
  });
  let peer = null;
  try {
    if (given.peers) peer = await startPostGraphile(world);
    for (const each of callMeasures)
      if (wanted.has(each.name)) add(await measureCall(world, each, { ...options, peer }));
    await peer?.stop();
    peer = null;
    if (wanted.has('memory')) add(...(await measureMemory(world, options)));
    if (wanted.has('growth')) add(...(await measureGrowth(world, options)));
    if (figures.some((name) => wanted.has(name))) add(...(await measureFigures(world, wanted, options)));
    if (wanted.has('import')) add(...(await measureImport(world, options)));
    if (wanted.has('export')) add(...(await measureExport(world, options)));
    if (wanted.has('pdf')) add(...(await measurePdf(world, options)));
    if (wanted.has('bus')) add(...(await measureBus(world, options)));
    if (wanted.has('screen')) add(...(await measureScreen(world, options)));
    if (wanted.has('screens')) add(...(await measureScreens(world, options)));
    if (wanted.has('day')) add(...(await measureDay(world, options)));
    const [{ server_version: version }] = (await world.client.query('show server_version')).rows;
    return { rows: found, version: `PostgreSQL ${version.split(' ')[0]}` };
  } finally {
    await peer?.stop();
    await world.close();
  }
}

function chosen(only) {
  if (only === undefined) return new Set(built.filter((name) => !leadMeasures.includes(name)));
  const names = only.split(',').map((name) => name.trim().toLowerCase());
  for (const name of names) {
    if (built.includes(name) || onDemand.includes(name)) continue;
    const isPlanned = toCome.includes(name);
    console.error(isPlanned ? `${name} is not built yet.` : `There is no measure "${name}".`);
    console.error(`Built: ${[...built, ...onDemand].join(', ')}. To come: ${toCome.join(', ')}.`);
    process.exit(1);
  }
  return new Set(names);
}
