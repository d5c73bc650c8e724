import { toScript } from '../limit/to-script.mjs';

/**
 * What is asked of the server over RPC, each beside the same work in pgbench. `bare` is the one statement of the same work for a
 * server that does nothing else; `{ path }` is a value of the call's arguments.
 */
export const callMeasures = [
  { name: 'list', connections: 32, goal: 0.6, script: ({ statements }) => toScript(statements.list.main) },
  {
    name: 'read',
    connections: 32,
    goal: 0.35,
    script: ({ statements: { read }, ranges }) => {
      const position = read.main.values.findIndex((value) => /^\{"?\d+"?\}$/.test(value)) + 1;
      return toScript(read.main, { [position]: { between: ranges.id, isArray: true } });
    },
    bareGoal: 0.6,
    bare: ({ statements: { read } }) => ({
      text: read.main.text,
      values: read.main.values.map((value) => (/^\{"?\d+"?\}$/.test(value) ? { path: [0] } : value)),
    }),
  },
  { name: 'group', connections: 4, goal: 0.95, script: ({ statements }) => toScript(statements.group.main) },
  { name: 'write', connections: 8, goal: 0.3, script: bareUpdate, bareGoal: 0.4, bare: updateWithRule },
  { name: 'create', connections: 8, goal: 0.3, script: bareInsert, bareGoal: 0.4, bare: insertWithRule },
  { name: 'keyed', connections: 8, goal: 0.3, script: bareInsert, bareGoal: 0.4, bare: insertWithRule, isKeyed: true },
];

function bareInsert({ ranges, people }) {
  return {
    variables: { company: people.companyId, uid: people.userId },
    text: `\\set partner random(${ranges.partner.join(', ')})
begin;
insert into bench_order (name, reference, partner_id, company_id, state, date_order, validity_date, confirmed_at,
  amount_untaxed, amount_total, is_urgent, note, create_date, create_uid, write_date, write_uid)
values ('New', 'REF-1', :partner, :company, 'draft', '2023-01-15', '2023-02-15', '2023-01-15',
  1200.5, 1428.6, false, 'Deliver to gate 7', now(), :uid, now(), :uid) returning id;
end;
`,
  };
}

function bareUpdate({ ranges, people }) {
  return {
    variables: { uid: people.userId },
    text: `\\set id random(${ranges.id.join(', ')})
\\set n random(1, 1000000000)
update bench_order set note = 'Gate ' || :n::text, write_date = now(), write_uid = :uid where id = :id;
`,
  };
}

function updateWithRule({ people }) {
  return {
    text: `update bench_order set note = $1, write_date = now(), write_uid = $2
      where id = any($3::int4[]) and company_id = $4 returning id`,
    values: [{ path: [1, 'note'] }, people.userId, { path: [0] }, people.companyId],
  };
}

const given = [
  ...['name', 'reference', 'partner_id', 'state', 'date_order', 'validity_date', 'confirmed_at'],
  ...['amount_untaxed', 'amount_total', 'is_urgent', 'note'],
];

/** The rule here is that the partner may be chosen: the company is the caller's own. */
function insertWithRule({ people }) {
  const places = given.map((_, index) => `$${index + 3}`).join(', ');
  return {
    text: `insert into bench_order (company_id, create_uid, write_uid, create_date, write_date, ${given.join(', ')})
      select $1, $2::int4, $2::int4, now(), now(), ${places}
      where exists (select from core_partner where id = $5 and (company_id = $1 or company_id is null)) returning id`,
    values: [people.companyId, people.userId, ...given.map((name) => ({ path: [0, name] }))],
  };
}
