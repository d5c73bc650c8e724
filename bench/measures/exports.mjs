import { download } from '../load/download.mjs';
import { median } from '../report/median.mjs';
import { openSessions } from '../world/open-sessions.mjs';
import { cpuSeconds, residentMegabytes } from '../world/process-usage.mjs';
import { driveCall } from './measure-call.mjs';

const columns = [
  'name',
  'reference',
  'partner_id',
  'partner_id.display_name',
  'state',
  'date_order',
  'validity_date',
  'confirmed_at',
  'amount_untaxed',
  'amount_total',
  'is_urgent',
  'note',
];
const printed = ['name', 'reference', 'partner_id', 'state', 'date_order', 'confirmed_at', 'amount_total', 'is_urgent'];
const printedRows = 10_000;
const readers = 4;

/** Every order that the user may see as CSV, and the same rows by COPY, by turns; then compressed, as browsers ask for it. */
export async function measureExport(world, { repetitions }) {
  const [token] = await openSessions(world, 1);
  const path = `/web/export/csv?model=bench.order&fields=${columns.join()}`;
  await download(world, token, path);
  const before = residentMegabytes(world.server.pid);
  const rounds = [];
  for (let round = 0; round < repetitions; round++) {
    const cpuBefore = cpuSeconds(world.server.pid);
    const ours = await download(world, token, path);
    const cpu = cpuSeconds(world.server.pid) - cpuBefore;
    const limit = await copySeconds(world);
    rounds.push({ ...ours, cpu, limit, ratio: limit / ours.seconds });
  }
  const of = (key) => median(rounds.map((round) => round[key]));
  const packed = [];
  for (let round = 0; round < repetitions; round++) {
    const cpuBefore = cpuSeconds(world.server.pid);
    const { seconds } = await download(world, token, path, 'gzip');
    packed.push({ seconds, cpu: cpuSeconds(world.server.pid) - cpuBefore });
  }
  const ofPacked = (key) => `${(median(packed.map((round) => round[key])) * 1_000).toFixed(0)} ms`;
  return [
    {
      measure: `export, ${of('lines') - 1} rows to CSV`,
      ours: `${(of('seconds') * 1_000).toFixed(0)} ms`,
      limit: `${(of('limit') * 1_000).toFixed(0)} ms`,
      ratio: of('ratio'),
      goal: 0.3,
      cpu: `${(of('cpu') * 1_000).toFixed(0)} ms`,
    },
    { measure: 'export, compressed (gzip)', ours: ofPacked('seconds'), cpu: ofPacked('cpu') },
    { measure: 'export, memory on top', ours: `${(of('peak') - before).toFixed(0)} MB`, goal: 'flat' },
  ];
}

async function copySeconds({ client, people }) {
  const startedAt = performance.now();
  const { companyId } = people;
  await client.query(`copy (
    select t.name, t.reference, t.partner_id, p.name, t.state, t.date_order, t.validity_date, t.confirmed_at,
      t.amount_untaxed, t.amount_total, t.is_urgent, t.note
    from bench_order t left join core_partner p on p.id = t.partner_id and coalesce(p.company_id, ${companyId}) = ${companyId}
    where t.company_id = ${companyId} order by t.date_order desc, t.id desc) to stdout (format csv, header)`);
  return (performance.now() - startedAt) / 1_000;
}

/** A long table as PDF, one after the other, while others read records. */
export async function measurePdf(world, { seconds }) {
  const [token] = await openSessions(world, 1);
  const [first] = world.ranges.id;
  const { rows } = await world.client.query(
    'select id from bench_order where id >= $1 and company_id = $2 order by id offset $3 limit 1',
    [first, world.people.companyId, printedRows],
  );
  const domain = encodeURIComponent(JSON.stringify([['id', '<', rows[0].id]]));
  const path = `/web/export/pdf?model=bench.order&fields=${printed.join()}&domain=${domain}`;
  const before = residentMegabytes(world.server.pid);
  const alone = await download(world, token, path);
  const quiet = await driveCall(world, 'read', { connections: readers, seconds, warmUpSeconds: 1 });
  const reading = driveCall(world, 'read', { connections: readers, seconds: seconds * 3 });
  let isReading = true;
  const read = reading.finally(() => {
    isReading = false;
  });
  const rounds = [];
  while (isReading) rounds.push(await download(world, token, path));
  const { p50, p99 } = await read;
  return [
    {
      measure: `pdf, ${printedRows} rows of ${printed.length} columns`,
      ours: `${alone.seconds.toFixed(1)} s`,
      goal: '5 s',
    },
    {
      measure: 'pdf, memory on top',
      ours: `${(alone.peak - before).toFixed(0)} MB, ${alone.peak.toFixed(0)} in all`,
      goal: '200 MB',
    },
    {
      measure: `pdf, read meanwhile, ${readers} connections`,
      ours: `${median(rounds.map((round) => round.seconds)).toFixed(1)} s`,
      limit: `${quiet.p50.toFixed(1)} / ${quiet.p99.toFixed(1)} ms alone`,
      goal: 'p99 50 ms',
      latency: `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`,
    },
  ];
}
