import { ident, sql, syncSchema } from '@kontor/database';
import { evaluateDomain, parseDomain } from '@kontor/protocol';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleRegistry } from '../../assemble/assemble-registry.ts';
import { domainToSql } from '../../domain/compile-domain.ts';
import type { FieldSpec } from '../../fields/spec.ts';
import { tableSpecs } from '../../schema/table-specs.ts';
import { bareEnv } from './bare-env.ts';
import { definitions, insertLinks, insertRows } from './domain-world.ts';
import { exampleData } from './example-data.ts';
import { examples } from './examples.ts';
import { ancestorsOf, nest } from './in-memory.ts';

const registry = assembleRegistry([{ module: 'test', definitions }]);
const item = registry.model('x.item');
const env = bareEnv(registry, {
  policy: { access: new Map(), rules: new Map() },
  isSudo: true,
  uid: 2,
  companyId: 1,
  tz: 'Europe/Zurich',
});

describe('domains by example, in the database and in memory', () => {
  let world: TestDatabase;
  const records = nest(registry, exampleData, () => true);
  const tokens = { uid: 2, companyId: 1, companyIds: [1], today: '2026-11-14', now: '2026-11-14T09:30:00.000Z' };

  beforeAll(async () => {
    world = await createTestDatabase({ maxConnections: 1 });
    await world.database.transaction((tx) => syncSchema(tx, tableSpecs(registry)));
    await world.database.execute(sql`set session_replication_role = replica`);
    await world.database.execute(sql`set jit = off`);
    for (const [name, rows] of exampleData.rows) await insertRows(world.database, registry.model(name), rows);
    await insertLinks(world.database, item, 'tag_ids', exampleData.links);
  });
  afterAll(() => world.drop());

  async function search(domain: unknown): Promise<number[]> {
    const condition = domainToSql(env, item, parseDomain(domain), 't');
    const rows = await world.database.query<{ id: number }>(
      sql`select t.id from ${ident(item.table)} t where ${condition} order by t.id`,
    );
    return rows.map((row) => row.id);
  }

  function evaluate(domain: unknown): number[] {
    const typeOf = (path: readonly string[]) => typeAt(path);
    const ancestors = (id: number) => ancestorsOf(exampleData.rows.get('x.node') ?? [], id);
    const context = { tokens, tz: 'Europe/Zurich', typeOf, ancestors };
    const node = parseDomain(domain);
    return records.filter((record) => evaluateDomain(node, record, context)).map((record) => record.id);
  }

  for (const [rule, list] of Object.entries(examples)) {
    it(rule, async () => {
      for (const [condition, ids] of readExamples(list)) {
        const others = [1, 2, 3, 4, 5].filter((id) => !ids.includes(id));
        const message = JSON.stringify(condition);
        expect(await search([condition]), message).toEqual(ids);
        expect(evaluate([condition]), `${message} in memory`).toEqual(ids);
        expect(await search(['!', condition]), `not ${message}`).toEqual(others);
        expect(evaluate(['!', condition]), `not ${message} in memory`).toEqual(others);
      }
    });
  }

  it('DOM-11 SQL in any string position is only text', async () => {
    const evil = `'); drop table "${item.table}"; --`;
    for (const operator of ['=', 'ilike', '=like', '<'] as const) await search([['name', operator, evil]]);
    await search([['name', 'in', [evil, `{"${evil}"}`, 'NULL', '\\']]]);
    await search([['node_id', '=', evil]]);
    expect(await search([])).toEqual([1, 2, 3, 4, 5]);
  });

  it('DOM-1 the deepest and the widest domain that parses also runs', async () => {
    const deep = [
      ...Array.from({ length: 64 }, (_, index) => (index % 2 ? '&' : '|')),
      ...Array(65).fill(['qty', '=', 1]),
    ];
    expect(await search(deep)).toEqual([1]);
    expect(await search(Array(1_000).fill(['node_id.parent_id.name', '!=', 'x']))).toEqual([1, 2, 3, 4, 5]);
    expect(await search([['qty', 'in', Array.from({ length: 10_000 }, (_, index) => index)]])).toEqual([1, 2, 3]);
  });
});

function typeAt(path: readonly string[]): string | undefined {
  let name: string | undefined = 'x.item';
  let type: string | undefined;
  for (const step of path) {
    const spec: FieldSpec | undefined =
      name === undefined ? undefined : registry.models.get(name)?.fields.get(step)?.spec;
    type = spec?.type;
    name = spec?.relation;
  }
  return type;
}

function readExamples(list: string): readonly (readonly [condition: unknown, ids: readonly number[]])[] {
  const lines = list.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [condition, ids] = line.split(' finds ') as [string, string];
    return [JSON.parse(condition), ids === 'none' ? [] : ids.split(' ').map(Number)] as const;
  });
}
