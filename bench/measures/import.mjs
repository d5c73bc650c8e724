import { copyIn } from '../limit/copy-in.mjs';
import { median } from '../report/median.mjs';
import { signIn } from '../world/first-run.mjs';
import { importLines } from '../world/import-lines.mjs';
import { orderRows } from '../world/order-rows.mjs';
import { cpuSeconds, residentMegabytes } from '../world/process-usage.mjs';

const columns = [
  ...['name', 'reference', 'partner_id', 'state', 'date_order', 'validity_date', 'confirmed_at'],
  ...['amount_untaxed', 'amount_total', 'is_urgent', 'note'],
];

/** So many orders by upload and confirm, partners by name, against COPY of the same rows with everything known. */
export async function measureImport(world, { repetitions, rows: count }) {
  const session = await signIn(world.server.url, world.people.user);
  const ours = [];
  const copies = [];
  const cpu = [];
  let peak = 0;
  for (let round = 0; round < repetitions; round++) {
    await world.client.query('vacuum analyze core_partner');
    const rows = orderRows(count, `i${round}x`);
    copies.push(await copyOrders(world, rows));
    const watch = watchMemory(world.server.pid, (megabytes) => {
      peak = Math.max(peak, megabytes);
    });
    const before = cpuSeconds(world.server.pid);
    ours.push(await importOrders(world, session, rows));
    cpu.push(cpuSeconds(world.server.pid) - before);
    watch.stop();
    await tidy(world);
  }
  const [took, limit] = [median(ours), median(copies)];
  return [
    {
      measure: 'import',
      ours: `${Math.round((count / took) * 1_000)} rows/s`,
      limit: `${Math.round((count / limit) * 1_000)} rows/s`,
      ratio: limit / took,
      goal: 0.35,
      cpu: `${median(cpu).toFixed(1)} s in all`,
    },
    { measure: 'memory while importing', ours: `${peak.toFixed(0)} MB`, goal: '220 MB' },
  ];
}

function importOrders(world, session, rows) {
  const lines = rows.map((row) =>
    columns.map((name) => (name === 'partner_id' ? `Partner ${row.partner + 1}` : row[name])).join(','),
  );
  return importLines(world, session, { model: 'bench.order', columns, lines });
}

async function copyOrders({ client, people, ranges }, rows) {
  const [firstPartner] = ranges.partner;
  const known = [...columns, 'company_id', 'create_date', 'create_uid', 'write_date', 'write_uid'];
  const now = new Date().toISOString();
  const text = rows.map((row) =>
    [
      ...columns.map((name) =>
        name === 'partner_id' ? firstPartner + row.partner : row[name] === '' ? '\\N' : row[name],
      ),
      ...[people.companyId, now, people.userId, now, people.userId],
    ].join('\t'),
  );
  const startedAt = performance.now();
  await copyIn(client, `copy bench_order (${known.join(', ')}) from stdin`, `${text.join('\n')}\n`);
  return performance.now() - startedAt;
}

function watchMemory(pid, see) {
  const timer = setInterval(() => see(residentMegabytes(pid)), 50);
  return { stop: () => clearInterval(timer) };
}

/** Every round begins with what was there before. */
async function tidy({ client }) {
  await client.query("delete from bench_order where name like 'i%x%'");
  await client.query(`with gone as (delete from sys_change where model = 'bench.order' returning set_id)
    delete from sys_change_set where id in (select set_id from gone)`);
  await client.query('delete from sys_bulk_import');
  await client.query('vacuum bench_order');
}
