import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median } from '../report/median.mjs';
import { signIn } from '../world/first-run.mjs';
import { importLines } from '../world/import-lines.mjs';
import { cpuSeconds } from '../world/process-usage.mjs';
import { cacheDir } from '../world/server-process.mjs';

const count = 20_000;
const perCall = 1_000;
const columns = ['name', 'email', 'phone', 'street', 'zip', 'city', 'country_id', 'is_company', 'job_position'];

/** Contacts by `create_many` from the TypeScript client, against our own import of the same rows, by turns. */
export async function measureBulk(world, { repetitions }) {
  const { createClient } = await openClientPackage();
  const contacts = createClient({ url: world.server.url, key: world.people.apiKey }).model('core.partner');
  const session = await signIn(world.server.url, world.people.user);
  const { rows: countries } = await world.client.query('select id, name from core_country order by id limit 20');
  const ours = { ms: [], cpu: [] };
  const imports = { ms: [], cpu: [] };
  // The first round is for the engine to compile what both run.
  for (let round = 0; round <= repetitions; round++) {
    const rows = contactRows(countries, `b${round}x`);
    await turn(world, round === 0 ? null : ours, () => createAll(contacts, rows));
    await turn(world, round === 0 ? null : imports, () =>
      importLines(world, session, { model: 'core.partner', columns, lines: rows.map(toLine) }),
    );
  }
  const [took, limit] = [median(ours.ms), median(imports.ms)];
  return {
    measure: `bulk, ${perCall} contacts a call`,
    ours: `${Math.round((count / took) * 1_000)} rows/s`,
    limit: `${Math.round((count / limit) * 1_000)} rows/s`,
    ratio: limit / took,
    goal: 0.8,
    cpu: `${median(ours.cpu).toFixed(1)} s in all, import ${median(imports.cpu).toFixed(1)} s`,
  };
}

/** Each turn begins with the same number of contacts. */
async function turn(world, into, work) {
  const before = cpuSeconds(world.server.pid);
  const ms = await work();
  into?.ms.push(ms);
  into?.cpu.push(cpuSeconds(world.server.pid) - before);
  await tidy(world);
}

async function createAll(contacts, rows) {
  const startedAt = performance.now();
  for (let at = 0; at < rows.length; at += perCall) {
    const values = rows.slice(at, at + perCall).map(({ country, ...row }) => ({ ...row, country_id: country.id }));
    await contacts.createMany(values);
  }
  return performance.now() - startedAt;
}

function contactRows(countries, prefix) {
  return Array.from({ length: count }, (_, n) => ({
    name: `Contact ${prefix}${n}`,
    email: `${prefix}${n}@example.com`,
    phone: `+49 30 ${1_000_000 + n}`,
    street: `Street ${n % 400}`,
    zip: String(10_000 + (n % 5_000)),
    city: `City ${n % 300}`,
    is_company: n % 3 === 0,
    job_position: n % 3 === 0 ? null : 'Buyer',
    country: countries[n % countries.length],
  }));
}

function toLine({ country, ...row }) {
  return columns.map((name) => (name === 'country_id' ? `"${country.name}"` : (row[name] ?? ''))).join(',');
}

/** The package as authors get it, in one file. */
async function openClientPackage() {
  const outfile = join(cacheDir, 'rpc.mjs');
  const entry = fileURLToPath(new URL('../../packages/rpc/index.ts', import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' });
  return import(pathToFileURL(outfile));
}

async function tidy({ client }) {
  await client.query("delete from core_partner where name like 'Contact b%x%'");
  await client.query(`with gone as (delete from sys_change where model = 'core.partner' returning set_id)
    delete from sys_change_set where id in (select set_id from gone)`);
  await client.query('delete from sys_bulk_import');
  await client.query('vacuum analyze core_partner, sys_change, sys_change_set');
}
