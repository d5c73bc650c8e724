import { toScript } from '../limit/to-script.mjs';
import { fill, sizeOfW } from '../world/fill.mjs';
import { measureBoard } from './board.mjs';
import { measureCall } from './measure-call.mjs';

const times = 10;

/** What an analytic view asks, over ten times W, beside what a person would write in SQL. Leaves the world grown. */
export const figureMeasures = [
  { name: 'pivot', connections: 2, goal: 0.9, script: barePivot },
  { name: 'graph', connections: 2, goal: 0.9, script: ({ statements }) => toScript(statements.graph.main) },
];

export async function measureFigures(world, wanted, options) {
  const size = Object.fromEntries(Object.entries(sizeOfW).map(([name, count]) => [name, count * times]));
  await fill(world.client, world.people, size);
  const rows = [];
  for (const each of figureMeasures) {
    if (!wanted.has(each.name)) continue;
    const row = await measureCall(world, each, options);
    rows.push({ ...row, measure: `${row.measure}, W10` });
  }
  if (wanted.has('board')) rows.push(await measureBoard(world, options));
  return rows;
}

/** Two levels by two levels with all totals, straight from the orders. */
function barePivot({ people }) {
  return {
    variables: { company: people.companyId },
    text: `select state, is_urgent, date_trunc('quarter', date_order) as q, date_trunc('month', date_order) as m,
  sum(amount_total), count(id), grouping(state, is_urgent, date_trunc('quarter', date_order), date_trunc('month', date_order))
from bench_order where company_id = :company
group by rollup (state, is_urgent), rollup (date_trunc('quarter', date_order), date_trunc('month', date_order));
`,
  };
}
