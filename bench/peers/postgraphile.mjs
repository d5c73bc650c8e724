import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../world/connect.mjs';
import { cacheDir } from '../world/server-process.mjs';

/** Versions are part of what is measured. It asks for a newer Node than Kontor does, which npm has as a package. */
const versions = { postgraphile: '5.1.5', node: '22.23.3' };
const folder = join(cacheDir, 'postgraphile');
const program = fileURLToPath(new URL('postgraphile-server.mjs', import.meta.url));
const role = 'bench_peer';
const sameAsServer = 10;

const name = `PostGraphile ${versions.postgraphile}`;

/** The same work in its language: 80 orders with their partner's name, one order, one change, one new order. */
const columns = `nodeId rowId: id name reference partnerId partner: corePartnerByPartnerId { name } state dateOrder validityDate confirmedAt
  amountUntaxed amountTotal isUrgent note`;
const query = (text) => JSON.stringify({ query: text.replace(/\s+/g, ' ') });

export const bodies = {
  list: query(
    `{ allBenchOrders(condition: {state: "sale"}, first: 80, orderBy: [DATE_ORDER_DESC, ID_DESC]) { nodes { ${columns} } } }`,
  ),
  read: query(`query Read($id: Int!) { benchOrderById(id: $id) { ${columns} } }`).replace(
    /\}$/,
    ',"variables":{"id":@id}}',
  ),
  write: query(
    'mutation Write($id: Int!, $note: String) { updateBenchOrderById(input: {id: $id, benchOrderPatch: {note: $note}}) { benchOrder { id } } }',
  ).replace(/\}$/, ',"variables":{"id":@id,"note":"Gate @n"}}'),
  create: query(
    'mutation Create($order: BenchOrderInput!) { createBenchOrder(input: {benchOrder: $order}) { benchOrder { id } } }',
  ).replace(
    /\}$/,
    `,"variables":{"order":{"name":"New @n","reference":"REF-1","partnerId":@partner,"companyId":@company,"state":"draft",
    "dateOrder":"2023-01-15","validityDate":"2023-02-15","confirmedAt":"2023-01-15T08:00:00Z","amountUntaxed":"1200.5",
    "amountTotal":"1428.6","isUrgent":false,"note":"Deliver to gate 7"}}}`.replace(/\s+/g, ' '),
  ),
};

/** Installs it where the bench keeps its things, prepares the database for it, and starts it. */
export async function startPostGraphile({ dsn, people }) {
  install();
  const admin = adminOf(dsn);
  const client = await connect(admin);
  await prepare(client);
  const job = { folder, dsn: admin, role, companyId: people.companyId, connections: sameAsServer };
  const child = spawn(join(folder, `node_modules/node-${platform()}-${arch()}/bin/node`), [program], {
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end(JSON.stringify(job));
  const port = await new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(Number(chunk)));
    child.once('exit', () => reject(new Error(`${name} did not start.`)));
  });
  return {
    host: `127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await undo(client);
      await client.end();
    },
  };
}

/** Only who may make roles can prepare the database: in the embedded one that is not the user whom Kontor connects as. */
function adminOf(dsn) {
  if (process.env.KONTOR_TEST_DSN) return dsn;
  const url = new URL(dsn);
  url.username = 'postgres';
  return url.toString();
}

function install() {
  const runtime = `node-${platform()}-${arch()}`;
  if (existsSync(join(folder, 'node_modules', runtime)) && existsSync(join(folder, 'node_modules/postgraphile')))
    return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const wanted = [`postgraphile@${versions.postgraphile}`, `${runtime}@${versions.node}`];
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, ...wanted], { cwd: folder, stdio: 'inherit' });
}

/** Rights by a role and row security on the very tables, which the owner of them, Kontor, passes by. */
async function prepare(client) {
  await undo(client);
  await client.query(`create role ${role} nologin`);
  await client.query(`grant usage on schema public to ${role}`);
  await client.query(`grant usage on all sequences in schema public to ${role}`);
  const company = `(company_id is null or company_id = current_setting('bench.company')::int4)`;
  for (const table of ['bench_order', 'core_partner']) {
    await client.query(`grant select, insert, update on ${table} to ${role}`);
    await client.query(`alter table ${table} enable row level security`);
    await client.query(`create policy bench_peer on ${table} to ${role} using ${company} with check ${company}`);
  }
}

async function undo(client) {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rows.length === 0) return;
  for (const table of ['bench_order', 'core_partner']) {
    await client.query(`drop policy if exists bench_peer on ${table}`);
    await client.query(`alter table ${table} disable row level security`);
  }
  await client.query(`drop owned by ${role}`);
  await client.query(`drop role ${role}`);
}
