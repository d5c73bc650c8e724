import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../report/median.mjs';
import { connect } from '../world/connect.mjs';
import { fill, sizeOfW } from '../world/fill.mjs';
import { signIn } from '../world/first-run.mjs';
import { compiled, driveCall } from './measure-call.mjs';

const types = ['char', 'integer', 'decimal', 'date', 'selection'];
const fifty = Array.from({ length: 50 }, (_, at) => ({ at, type: types[at % types.length] }));

/** A list of a model with fifty fields that were added in the browser, and of one that has them in code, by turns. */
export async function measureCustom(world, { repetitions, seconds }) {
  const publish = await publisher(world);
  await publish(
    fifty.map(({ at, type }) =>
      add('bench.narrow', `x_w${at}`, { type, label: `W ${at}`, ...(type === 'selection' && { choices }) }),
    ),
  );
  for (const [table, prefix] of [
    ['bench_wide', 'w'],
    ['bench_narrow', 'x_w'],
  ]) {
    const columns = fifty.map(({ at }) => `${prefix}${at}`).join(', ');
    const values = fifty.map(({ type }) => samples[type]).join(', ');
    await world.client.query(
      `insert into ${table} (name, create_date, write_date, ${columns})
       select 'Record ' || n, now(), now(), ${values} from generate_series(1, 10000) n`,
    );
    await world.client.query(`vacuum analyze ${table}`);
  }
  const list = (model, prefix) => ({
    ...{ connections: 8, seconds, warmUpSeconds: 0.5 },
    body: JSON.stringify({
      ...{ model, method: 'search_read', kwargs: { limit: 80, order: 'id' } },
      args: [[], ['name', ...fifty.map(({ at }) => `${prefix}${at}`)]],
    }),
  });
  const [coded, added] = [list('bench.wide', 'w'), list('bench.narrow', 'x_w')];
  for (const each of [coded, added]) await driveCall(world, 'custom', { ...each, ...compiled });
  const rounds = [];
  for (let round = 0; round < repetitions; round++) {
    const order = round % 2 === 0 ? [added, coded] : [coded, added];
    const found = new Map();
    for (const each of order) found.set(each, await driveCall(world, 'custom', each));
    rounds.push({ ours: found.get(added), limit: found.get(coded) });
  }
  const of = (pick) => median(rounds.map(pick));
  return {
    measure: 'custom: list of 50 added fields, 8 connections',
    ours: `${of(({ ours }) => ours.perSecond).toFixed(0)}/s`,
    limit: `${of(({ limit }) => limit.perSecond).toFixed(0)}/s`,
    ratio: of(({ ours, limit }) => ours.perSecond / limit.perSecond),
    goal: 0.9,
    latency: `${of(({ ours }) => ours.p50).toFixed(1)} / ${of(({ ours }) => ours.p99).toFixed(1)} ms`,
    cpu: `${of(({ ours }) => ours.cpu).toFixed(2)} ms`,
  };
}

const choices = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const samples = {
  char: "'Text ' || n",
  integer: 'n % 1000',
  decimal: '(n % 5000)::numeric / 8',
  date: "date '2024-01-01' + n % 730",
  selection: "(array['a', 'b'])[1 + n % 2]",
};

const kinds = [
  ['nothing', null],
  ['a text', { type: 'char', label: 'Text' }],
  ['a number with a default', { type: 'integer', label: 'Floor', default: 3 }],
  ['a required number with a default', { type: 'integer', label: 'Rooms', required: true, default: 3 }],
  ['a required date, today by default', { type: 'date', label: 'Since', required: true, default: { source: 'today' } }],
  ['a choice', { type: 'selection', label: 'Lift', choices, default: 'a' }],
  ['a link', { type: 'many2one', label: 'Site', relation: 'core.country' }],
  ['a stored formula', { type: 'decimal', label: 'Fee', formula: 'amount_total * 0.1', stored: true }],
  ['a copy of a linked value', { type: 'char', label: 'Mail', from: 'partner_id.email' }],
];

/**
 * While fields are added to a million orders, others write and read them: the longest that one of them waited for a lock, as the
 * database tells it, and the longest statement, which has its share of a busy machine. Leaves the world grown.
 */
export async function measureAdding(world) {
  await fill(world.client, world.people, { ...sizeOfW, orders: 1_000_000 });
  const publish = await publisher(world);
  const rows = [];
  for (const [at, [name, field]] of kinds.entries()) {
    const others = await startOthers(world);
    if (!field) await pause(5_000);
    else await publish([add('bench.order', `x_added_${at}`, field)]);
    const published = others.lap();
    const startedAt = performance.now();
    if (field) await untilFinished(world.client);
    const after = others.lap();
    await others.stop();
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    rows.push({
      measure: `others beside adding ${name}, ${published.count + after.count} statements`,
      ours: `waited ${Math.max(published.waited, after.waited)} ms`,
      goal: '100 ms',
      latency: `${published.longest} ms${field ? `, then ${after.longest} ms, ready after ${seconds} s` : ''}`,
    });
  }
  return rows;
}

const add = (model, name, field) => ({ do: 'add_field', model, name, field, inList: false });

async function publisher({ server: { url }, people }) {
  const { headers } = await signIn(url, people.admin);
  const send = async (path, init = {}) => {
    const answer = await fetch(url + path, {
      ...init,
      headers: { ...headers, accept: 'application/json', ...init.headers },
    });
    const { ok, result, error } = await answer.json();
    if (!ok) throw new Error(JSON.stringify(error));
    return result;
  };
  return async (changes) => {
    const { base, draft } = await send('/web/customise?model=bench.order');
    const body = JSON.stringify({ do: 'publish', base, draft, changes });
    return send('/web/customise', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
}

/** Changes, new records and reads of the table, one after the other on connections of their own, and the longest of them. */
async function startOthers({ dsn, people }) {
  const { rows } = await (await connected(dsn)).once('select min(id) as low, max(id) as high from bench_order');
  const [{ low, high }] = rows;
  const id = () => low + Math.floor(Math.random() * (high - low));
  const work = [
    () => [`update bench_order set note = 'Gate', write_date = now() where id = $1`, [id()]],
    () => [
      `insert into bench_order (name, partner_id, company_id, date_order, state, create_date, write_date)
       select 'New', partner_id, company_id, current_date, 'draft', now(), now() from bench_order where id = $1`,
      [high],
    ],
    () => ['select * from bench_order where id = $1 and company_id = $2', [id(), people.companyId]],
  ];
  let times = [];
  let waited = 0;
  let isOver = false;
  const clients = await Promise.all(work.map(() => connect(dsn)));
  const pids = clients.map(({ processID }) => processID);
  const watching = watch(dsn, pids, (ms) => {
    waited = Math.max(waited, ms);
    return isOver;
  });
  const all = work.map(async (next, at) => {
    const client = clients[at];
    while (!isOver) {
      const startedAt = performance.now();
      await client.query(...next());
      times.push(performance.now() - startedAt);
      await pause(2);
    }
    await client.end();
  });
  return {
    lap() {
      const done = times;
      times = [];
      const lap = { count: done.length, longest: Math.round(maximum(done)), waited };
      waited = 0;
      return lap;
    },
    async stop() {
      isOver = true;
      await Promise.all([...all, watching]);
    },
  };
}

const maximum = (times) => times.reduce((most, each) => Math.max(most, each), 0);

/** Asks the database every few milliseconds for how long these connections have been waiting for locks. */
async function watch(dsn, pids, tell) {
  const client = await connect(dsn);
  const text = `select coalesce(max(extract(epoch from clock_timestamp() - waitstart) * 1000), 0)::int as ms
    from pg_locks where not granted and pid = any($1)`;
  for (let isOver = false; !isOver; await pause(3)) {
    const { rows } = await client.query({ name: 'waits', text, values: [pids] });
    isOver = tell(rows[0].ms);
  }
  await client.end();
}

async function connected(dsn) {
  const client = await connect(dsn);
  return { once: (text) => client.query(text).finally(() => client.end()) };
}

/** Indexes, keys and values that follow the publication. */
async function untilFinished(client) {
  for (;;) {
    const { rows } = await client.query(`
      select (select count(*) from sys_custom_revision where pending is not null)
        + (select count(*) from pg_constraint where contype = 'f' and not convalidated) as open`);
    if (Number(rows[0].open) === 0) return;
    await pause(200);
  }
}
