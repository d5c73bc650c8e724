import { download } from '../load/download.mjs';
import { median } from '../report/median.mjs';
import { connect } from '../world/connect.mjs';
import { callAs } from '../world/first-run.mjs';
import { openSessions } from '../world/open-sessions.mjs';

const sold = 'domain=[["state","=","sale"]]';
const month = `date_trunc('month', date_order)`;
const week = `date_trunc('week', date_order)`;
const own = 'from bench_order where company_id = $1';

/** Tiles of a board, and what a person would write in SQL for each. */
const tiles = [
  ['figure', `${sold}&group_by=date_order:month&measure=amount_total`, grouped(month, `and state = 'sale'`)],
  ['figure', 'group_by=date_order:month&measure=__count', `select ${month}, count(*) ${own} group by rollup (1)`],
  ['graph', 'group_by=date_order:month&measure=amount_total&kind=bar', grouped(month)],
  ['graph', 'group_by=state&measure=amount_total&kind=bar', grouped('state')],
  ['graph', `${sold}&group_by=date_order:week&measure=amount_total&kind=line`, grouped(week, `and state = 'sale'`)],
  ['pivot', 'group_by=state&columns=date_order:month&measure=amount_total', crossed('state', month)],
  ['pivot', 'group_by=is_urgent&columns=state&measure=amount_untaxed', crossed('is_urgent', 'state', 'amount_untaxed')],
  [
    'list',
    'sort=-date_order',
    `select id, name, reference, partner_id, state, date_order ${own} order by date_order desc, id desc limit 9`,
  ],
];

function grouped(key, more = '') {
  return `select ${key}, sum(amount_total), count(*) ${own} ${more} group by rollup (1)`;
}

function crossed(row, column, measure = 'amount_total') {
  return `select ${row}, ${column}, sum(${measure}), count(*) ${own} group by cube (1, 2)`;
}

/** A board of eight tiles in one request, beside the bare statements of its tiles, all at once, by turns. */
export async function measureBoard(world, { repetitions }) {
  const { host, headers, dsn, people } = world;
  const made = tiles.map(([kind, query], at) => ['create', { name: `Tile ${at}`, kind, model: 'bench.order', query }]);
  const id = await callAs(`http://${host}`, headers, {
    ...{ model: 'sys.board', method: 'create', args: [{ name: 'Bench', tile_ids: made }] },
  });
  const [token] = await openSessions(world, 1);
  const path = `/web/wc/workspace?model=sys.board&view_type=form&id=${id}`;
  const clients = await Promise.all(tiles.map(() => connect(dsn)));
  await download(world, token, path);
  const rounds = [];
  for (let round = 0; round < repetitions; round++) {
    const { seconds } = await download(world, token, path);
    const started = performance.now();
    await Promise.all(tiles.map(([, , text], at) => clients[at].query(text, [people.companyId])));
    const limit = (performance.now() - started) / 1_000;
    rounds.push({ seconds, limit, ratio: limit / seconds });
  }
  for (const client of clients) await client.end();
  const of = (key) => median(rounds.map((round) => round[key]));
  return {
    measure: 'board, eight tiles, W10',
    ours: `${(of('seconds') * 1_000).toFixed(0)} ms`,
    limit: `${(of('limit') * 1_000).toFixed(0)} ms`,
    ratio: of('ratio'),
    goal: 0.9,
  };
}
