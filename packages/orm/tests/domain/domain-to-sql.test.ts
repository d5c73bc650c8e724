import { compile } from '@kontor/database';
import { parseDomain } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { assembleRegistry } from '../../assemble/assemble-registry.ts';
import { createCompiler, domainToSql } from '../../domain/compile-domain.ts';
import { rulePredicate } from '../../domain/rule-predicate.ts';
import type { AccessPolicy } from '../../model/policy.ts';
import { bareEnv } from './bare-env.ts';
import { definitions } from './domain-world.ts';

const registry = assembleRegistry([{ module: 'test', definitions }]);
const item = registry.model('x.item');
const policy: AccessPolicy = {
  access: new Map(
    ['x.item', 'x.line', 'x.node', 'x.tag'].map((name) => [
      name,
      [{ group: null, read: true, write: true, create: true, unlink: true }],
    ]),
  ),
  rules: new Map(),
};
const env = bareEnv(registry, { policy });

function text(domain: unknown, from = env): { text: string; values: readonly unknown[] } {
  return compile(domainToSql(from, item, parseDomain(domain), 't'));
}

describe('DOM-2 the SQL of a condition', () => {
  const cases: [string, unknown, string, unknown[]][] = [
    ['all', [], 'true', []],
    ['equality', [['name', '=', 'x']], '"t"."name" = $1::text', ['x']],
    ['several', [['name', 'in', ['x', 'y']]], '"t"."name" = any($1::text[])', [['x', 'y']]],
    ['nothing', [['name', 'in', []]], 'false', []],
    ['empty text', [['name', '=', false]], `("t"."name" is null or "t"."name" = '')`, []],
    ['not empty text', [['name', '!=', null]], `"t"."name" <> ''`, []],
    ['inequality', [['name', '!=', 'x']], '("t"."name" <> $1::text or "t"."name" is null)', ['x']],
    ['not in with null', [['qty', 'not in', [1, 2, null]]], '"t"."qty" <> all($1::int4[])', [[1, 2]]],
    ['order', [['qty', '>', 5]], '"t"."qty" > $1::int8', ['5']],
    ['order of a fraction', [['qty', '>=', 1.5]], '"t"."qty" >= $1::int8', ['2']],
    ['order of text', [['name', '<', 'x']], `("t"."name" collate "C" < $1::text and "t"."name" <> '')`, ['x']],
    ['a huge number', [['qty', '=', 1e20]], 'false', []],
    ['a huge bound', [['qty', '<', 1e300]], '"t"."qty" < $1::int8', ['9007199254740991']],
    ['decimal', [['amount', '=', 10.5]], '"t"."amount" = $1::numeric', ['10.5']],
    ['float', [['ratio', '<=', 0.1]], '"t"."ratio" <= $1::float8', [0.1]],
    ['boolean', [['flag', '=', true]], '"t"."flag" is true', []],
    ['false', [['flag', '=', false]], '"t"."flag" is not true', []],
    ['date', [['day', '>=', '2026-11-14']], '"t"."day" >= $1::date', ['2026-11-14']],
    ['datetime', [['at', '<', '2026-11-14']], '"t"."at" < $1::timestamptz', ['2026-11-14T00:00:00.000Z']],
    ['like', [['name', 'like', '50%_\\']], '"t"."name" like $1::text', ['%50\\%\\_\\\\%']],
    ['raw pattern', [['name', '=ilike', 'a%\\']], '"t"."name" ilike $1::text', ['a%\\\\']],
    ['not ilike', [['name', 'not ilike', 'x']], '("t"."name" not ilike $1::text or "t"."name" is null)', ['%x%']],
    ['anything', [['name', 'ilike', '']], 'true', []],
    ['json', [['data', '=', null]], '"t"."data" is null', []],
    ['many2one', [['node_id', '=', 3]], '"t"."node_id" = $1::int4', [3]],
    [
      'many2one by name',
      [['node_id', 'ilike', 'x']],
      `exists (select 1 from "x_node" as "t_1" where ("t_1"."id" = "t"."node_id" and concat("t_1"."name", ' (' || nullif("t_1"."code", '') || ')') ilike $1::text))`,
      ['%x%'],
    ],
    [
      'a path',
      [['node_id.parent_id.name', '!=', 'x']],
      'not exists (select 1 from "x_node" as "t_1" where ("t_1"."id" = "t"."node_id" and exists (select 1 from "x_node" as "t_2" where ("t_2"."id" = "t_1"."parent_id" and "t_2"."name" = $1::text))))',
      ['x'],
    ],
    [
      'some line',
      [['line_ids.qty', '>', 1]],
      'exists (select 1 from "x_line" as "t_1" where ("t_1"."item_id" = "t"."id" and "t_1"."qty" > $1::int8))',
      ['1'],
    ],
    [
      'one EXISTS for a many2one that two conditions go through',
      [
        ['node_id.name', '=', 'x'],
        ['node_id.parent_id.code', '=', 'y'],
        ['node_id.parent_id.name', '=', 'z'],
      ],
      'exists (select 1 from "x_node" as "t_1" where ("t_1"."id" = "t"."node_id" and ("t_1"."name" = $1::text and exists (select 1 from "x_node" as "t_2" where ("t_2"."id" = "t_1"."parent_id" and ("t_2"."code" = $2::text and "t_2"."name" = $3::text))))))',
      ['x', 'y', 'z'],
    ],
    [
      'lines that must not be the same ones stay apart',
      [
        ['line_ids.qty', '=', 1],
        ['line_ids.qty', '=', 2],
      ],
      '(exists (select 1 from "x_line" as "t_1" where ("t_1"."item_id" = "t"."id" and "t_1"."qty" = $1::int4)) and exists (select 1 from "x_line" as "t_2" where ("t_2"."item_id" = "t"."id" and "t_2"."qty" = $2::int4)))',
      [1, 2],
    ],
    [
      'one EXISTS where any of the lines will do',
      ['|', ['line_ids.qty', '=', 1], ['line_ids.qty', '=', 2]],
      'exists (select 1 from "x_line" as "t_1" where ("t_1"."item_id" = "t"."id" and ("t_1"."qty" = $1::int4 or "t_1"."qty" = $2::int4)))',
      [1, 2],
    ],
    [
      'neither of two',
      [
        ['line_ids.qty', '!=', 1],
        ['line_ids.qty', '!=', 2],
      ],
      'not exists (select 1 from "x_line" as "t_1" where ("t_1"."item_id" = "t"."id" and ("t_1"."qty" = $1::int4 or "t_1"."qty" = $2::int4)))',
      [1, 2],
    ],
    [
      'no line',
      [['line_ids', '=', false]],
      'not exists (select 1 from "x_line" as "t_1" where "t_1"."item_id" = "t"."id")',
      [],
    ],
    [
      'or, negated',
      ['!', '|', ['qty', '=', 1], ['flag', '=', true]],
      '(("t"."qty" <> $1::int4 or "t"."qty" is null) and "t"."flag" is not true)',
      [1],
    ],
    ['a search function', [['is_big', '=', true]], '"t"."qty" > $1::int8', ['10']],
    ['a search function, negated', [['is_big', '!=', true]], '("t"."qty" <= $1::int8 or "t"."qty" is null)', ['10']],
    [
      'a related field',
      [['node_code', '=', 'x']],
      '(select "t_1"."code" from "x_node" as "t_1" where "t_1"."id" = "t"."node_id") = $1::text',
      ['x'],
    ],
    [
      'an aggregate',
      [['line_qty', '>', 5]],
      '(select coalesce(sum("t_1"."qty"), 0) from "x_line" as "t_1" where "t_1"."item_id" = "t"."id") > $1::int8',
      ['5'],
    ],
    [
      'child_of',
      [['node_id', 'child_of', 3]],
      '"t"."node_id" in (with recursive "t_1" ("id", "parent") as (select "t_2"."id", "t_2"."parent_id" from "x_node" as "t_2" where "t_2"."id" = any($1::int4[]) union select "t_2"."id", "t_2"."parent_id" from "x_node" as "t_2" join "t_1" on "t_2"."parent_id" = "t_1"."id") select "id" from "t_1")',
      [[3]],
    ],
  ];
  for (const [name, domain, expected, values] of cases) {
    it(name, () => expect(text(domain)).toEqual({ text: expected, values }));
  }

  it('a many2many is asked through the table between', () => {
    expect(text([['tag_ids', 'in', [1, 2]]]).text).toMatch(
      /^exists \(select 1 from "[a-z_]+" as "t_1" where \("t_1"\."[a-z_]+" = "t"\."id" and "t_1"\."[a-z_]+" = any\(\$1::int4\[\]\)\)\)$/,
    );
  });
});

describe('DOM-11 what cannot be asked is refused by name', () => {
  const cases: [string, unknown, RegExp][] = [
    ['an unknown field', [['nmae', '=', 'x']], /x\.item has no field "nmae"\. Did you mean "name"\?/],
    ['an unknown field on a path', [['node_id.nam', '=', 'x']], /x\.node has no field "nam"/],
    ['a prototype name', [['__proto__', '=', 'x']], /no field "__proto__"/],
    ['a path through no relation', [['name.length', '=', 1]], /not a relation/],
    ['a value of another type', [['amount', '>', 'abc']], /amount: ">" needs a number/],
    ['a date that does not exist', [['day', '=', '2026-02-30']], /needs a day/],
    ['a computed field without search', [['shout', '=', 'X']], /not searchable/],
    ['a tree that is none', [['tag_ids', 'child_of', 1]], /x\.tag is not a tree/],
    ['binary content', [['blob', '=', 'x']], /whether the field is empty/],
  ];
  for (const [name, domain, message] of cases) {
    it(name, () => {
      expect(() => text(domain)).toThrow(message);
      expect(() => text(domain)).toThrow(expect.objectContaining({ code: 'INVALID_ARGS' }));
    });
  }
});

describe('DOM-8 a domain never reaches what the caller may not read', () => {
  const denied = (layer: string) =>
    expect.objectContaining({ code: 'ACCESS_DENIED', details: expect.objectContaining({ layer }) });

  it('a field of another group, also at the end of a path', () => {
    expect(() => text([['cost', '>', 1]])).toThrow(denied('field'));
    expect(() => text([['line_ids.item_id.cost', '>', 1]])).toThrow(denied('field'));
    const manager = bareEnv(registry, { policy, groups: ['x.manager'] });
    expect(text([['cost', '>', 1]], manager).text).toBe('"t"."cost" > $1::numeric');
  });

  it('a secret, whatever the groups; server code under sudo may', () => {
    expect(() => text([['token', '=', 'x']])).toThrow(denied('field'));
    expect(text([['token', '=', 'x']], bareEnv(registry, { policy, isSudo: true })).values).toEqual(['x']);
  });

  it('a model without access', () => {
    const access = new Map([...policy.access].filter(([name]) => name !== 'x.node'));
    const stranger = bareEnv(registry, { policy: { ...policy, access } });
    expect(() => text([['node_id.name', '=', 'x']], stranger)).toThrow(denied('model'));
    expect(text([['node_id', 'ilike', 'x']], stranger).text).toContain('and false)');
    expect(compile(createCompiler(stranger, 't').path(item, ['node_id', 'name'], 't')).text).toContain('and false)');
  });

  it('a path value checks every field', () => {
    const line = registry.model('x.line');
    expect(() => createCompiler(env, 't').path(line, ['item_id', 'cost'], 't')).toThrow(denied('field'));
  });
});

describe('DOM-8 rules of related records', () => {
  const rule = (domain: unknown) => ({
    name: 'test',
    domain: parseDomain(domain),
    groups: [],
    operations: new Set(['read'] as const),
  });
  const rules = new Map([
    ['x.node', [rule([['name', '!=', 'secret']])]],
    [
      'x.item',
      [
        rule([
          ['cost', '<', 5],
          ['node_id.name', '=', 'x'],
        ]),
      ],
    ],
  ]);
  const restricted = bareEnv(registry, { policy: { ...policy, rules } });

  it('a path goes only through visible records', () => {
    expect(text([['node_id.code', '=', 'x']], restricted).text).toBe(
      'exists (select 1 from "x_node" as "t_1" where ("t_1"."id" = "t"."node_id" and "t_1"."code" = $1::text and ("t_1"."name" <> $2::text or "t_1"."name" is null)))',
    );
    expect(compile(createCompiler(restricted, 't').path(item, ['node_id', 'code'], 't')).text).toBe(
      '(select "t_1"."code" from "x_node" as "t_1" where ("t_1"."id" = "t"."node_id" and ("t_1"."name" <> $1::text or "t_1"."name" is null)))',
    );
  });

  it('the id itself is a value of the visible record', () => {
    expect(text([['node_id', '=', 3]], restricted).text).toBe('"t"."node_id" = $1::int4');
  });

  it('a rule may use fields and records that its subject may not', () => {
    const predicate = rulePredicate(restricted, item, 'read', 't');
    expect(predicate && compile(predicate).text).toBe(
      '("t"."cost" < $1::numeric and exists (select 1 from "x_node" as "t_1" where ("t_1"."id" = "t"."node_id" and "t_1"."name" = $2::text)))',
    );
    expect(rulePredicate(restricted, item, 'write', 't')).toBeNull();
  });
});

describe('DOM-6 values as expressions', () => {
  it('names drop the brackets of what is empty', () => {
    expect(compile(createCompiler(env, 'n').displayName(registry.model('x.node'), 'n')).text).toBe(
      `concat("n"."name", ' (' || nullif("n"."code", '') || ')')`,
    );
    expect(compile(createCompiler(env, 'l').displayName(registry.model('x.line'), 'l')).text).toBe(
      `concat('${registry.model('x.line').label} #', ("l"."id")::text)`,
    );
  });

  it('columns, related fields, aggregates', () => {
    const of = (name: string) => compile(createCompiler(env, 't').field(item, item.fields.get(name)!, 't')).text;
    expect(of('qty')).toBe('"t"."qty"');
    expect(of('display_name')).toBe('"t"."name"');
    expect(of('line_count')).toBe('(select count(*)::int4 from "x_line" as "t_1" where "t_1"."item_id" = "t"."id")');
  });

  it('what has no form in SQL says so', () => {
    expect(() => createCompiler(env, 't').field(item, item.fields.get('shout')!, 't')).toThrow(
      /computed and not stored/,
    );
    expect(() => createCompiler(env, 't').field(item, item.fields.get('line_ids')!, 't')).toThrow(/holds many records/);
    expect(() => createCompiler(env, 't').path(item, ['line_ids', 'qty'], 't')).toThrow(/not a many2one/);
  });
});
