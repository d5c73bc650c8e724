import { join } from 'node:path';
import { expect, it } from 'vitest';

const { tableProblemsIn } = (await import(join(import.meta.dirname, '../check/table-owners.mjs'))) as {
  tableProblemsIn(texts: ReadonlyMap<string, string>): readonly string[];
};

const owner = "export const log = defineModel('sys.log', {});\nconst rows = sql`select from sys_log`;";

it('finds every way to name the table of another owner', () => {
  const problems = (text: string) =>
    tableProblemsIn(
      new Map([
        ['packages/parts/logs/log.ts', owner],
        ['packages/exchange/read.ts', text],
      ]),
    );
  const refused = [
    expect.stringContaining('packages/exchange/read.ts: the table sys_log belongs to packages/parts/logs'),
  ];
  expect(problems('sql`select from sys_log`')).toEqual(refused);
  expect(problems(`sql\`select from \${sql\`sys_log\`}\``)).toEqual(refused);
  expect(problems("const table = ident('sys_log')")).toEqual(refused);
  expect(problems("ident(env.registry.model('sys.log').table)")).toEqual(refused);
  expect(problems("const logs = env.registry.models.get('sys.log');\nident(logs?.table)")).toEqual(refused);
  expect(problems("const { table } = registry.model('sys.log');")).toEqual(refused);
  expect(problems("const name = 'sys.log';\nident(registry.model(name).table)")).toEqual(refused);
});

it('lets everyone read the records of a model and ask what it is', () => {
  const text = `const rows = await env.model('sys.log').searchRead([], ['name']);
    const { label } = registry.model('sys.log');
    const model = registry.model('sale.order');
    sql\`select from \${ident(model.table)} where note = 'sys.log'\``;
  const texts = new Map([
    ['packages/parts/logs/log.ts', owner],
    ['addons/sale/order.ts', `defineModel('sale.order', {});${text}`],
  ]);
  expect(tableProblemsIn(texts)).toEqual([]);
});
