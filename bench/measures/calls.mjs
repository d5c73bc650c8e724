import { toScript } from '../limit/to-script.mjs';

/** What is asked of the server over RPC, each beside the same work in pgbench. */
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
  },
  { name: 'group', connections: 4, goal: 0.95, script: ({ statements }) => toScript(statements.group.main) },
  { name: 'write', connections: 8, goal: 0.3, script: bareUpdate },
  { name: 'create', connections: 8, goal: 0.3, script: bareInsert },
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
