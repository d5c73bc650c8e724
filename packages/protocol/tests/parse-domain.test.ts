import { describe, expect, it } from 'vitest';
import { type Domain, KontorError, parseDomain, serializeDomain } from '../index.ts';

const a = ['a', '=', 1] as const;
const b = ['b', '=', 2] as const;
const c = ['c', '=', 3] as const;
const node = ([path, operator, value]: readonly [string, string, unknown]) => ({
  kind: 'condition',
  path: path.split('.'),
  operator,
  value,
});

function refusal(input: unknown): KontorError {
  try {
    parseDomain(input);
  } catch (error) {
    if (error instanceof KontorError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(input)}`);
}

describe('DOM-1 the wire form', () => {
  it('an empty domain matches all records', () => {
    expect(parseDomain([])).toEqual({ kind: 'all' });
  });

  it('conditions in one array are ANDed', () => {
    expect(parseDomain([a, b])).toEqual({ kind: 'and', nodes: [node(a), node(b)] });
  });

  it('prefix operators combine what follows them', () => {
    expect(parseDomain(['|', a, '&', b, c])).toEqual({
      kind: 'or',
      nodes: [node(a), { kind: 'and', nodes: [node(b), node(c)] }],
    });
    expect(parseDomain(['!', a, b])).toEqual({ kind: 'and', nodes: [{ kind: 'not', node: node(a) }, node(b)] });
  });

  it('dotted paths are split', () => {
    expect(parseDomain([['partner_id.country_id.code', '=', 'CH']])).toEqual(
      node(['partner_id.country_id.code', '=', 'CH']),
    );
  });

  it('serializing gives an equivalent domain', () => {
    const domains: Domain[] = [[], [a], [a, b], ['|', a, b], ['!', '|', a, '&', b, c], ['|', a, '|', b, c]];
    for (const domain of domains) {
      expect(parseDomain(serializeDomain(parseDomain(domain)))).toEqual(parseDomain(domain));
    }
  });

  it('serializing many alternatives stays below the depth limit', () => {
    const nodes = Array.from({ length: 500 }, (_, index) => node(['a', '=', index])) as never[];
    const domain = serializeDomain({ kind: 'or', nodes });
    expect(parseDomain(domain)).toEqual({ kind: 'or', nodes });
  });

  it('serializing a constant gives a condition that every record decides alike', () => {
    expect(serializeDomain({ kind: 'none' })).toEqual([['id', 'in', []]]);
    expect(serializeDomain({ kind: 'or', nodes: [{ kind: 'all' }, { kind: 'none' }] })).toEqual([
      '|',
      ['id', 'not in', []],
      ['id', 'in', []],
    ]);
  });
});

describe('DOM-1 depth', () => {
  const chain = (operator: string, count: number) => [...Array(count).fill(operator), ...Array(count + 1).fill(a)];

  it('64 nested operators pass, 65 do not', () => {
    expect(parseDomain([...Array(64).fill('!'), a])).toEqual(node(a));
    expect(parseDomain(chain('|', 64))).toMatchObject({ kind: 'or' });
    expect(refusal([...Array(65).fill('!'), a]).message).toContain('64');
    expect(refusal(chain('|', 65)).message).toContain('64');
    expect(refusal(chain('&', 65)).message).toContain('64');
  });

  it('a hostile depth is refused without using up the stack', () => {
    expect(refusal([...Array(1_000_000).fill('!'), a]).code).toBe('INVALID_ARGS');
    let nested: unknown = a;
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    expect(refusal(nested).code).toBe('INVALID_ARGS');
  });
});

describe('DOM-11 what is not a domain is refused by name', () => {
  const cases: [string, unknown, RegExp][] = [
    ['not an array', { a: 1 }, /array of conditions/],
    ['null', null, /array of conditions/],
    ['a string', '[]', /array of conditions/],
    ['an unknown item', [a, 'xor', b], /item 1/],
    ['a missing operand', ['&', a], /item 0: "&" needs two/],
    ['a lonely negation', [a, '!'], /item 1: "!" needs one/],
    ['two elements', [['a', '=']], /item 0 has 2 elements/],
    ['four elements', [['a', '=', 1, 2]], /item 0 has 4 elements/],
    ['an unknown operator', [a, ['name', '~', 'x']], /item 1 on name: has an unknown operator "~"/],
    ['a prototype name as operator', [['name', 'constructor', 'x']], /unknown operator/],
    ['an operator of another type', [['name', null, 'x']], /unknown operator of type null/],
    ['a field of another type', [[1, '=', 1]], /field must be a string/],
    ['an empty field', [['', '=', 1]], /not a field/],
    ['an empty step', [['a..b', '=', 1]], /not a field/],
    ['SQL as field', [['name"; drop table x; --', '=', 1]], /not a field/],
    ['too many steps', [['a.b.c.d.e.f.g.h.i', '=', 1]], /more than 8 steps/],
    ['in without array', [['a', 'in', 1]], /"in" needs an array/],
    ['not in without array', [['a', 'not in', 'x']], /"not in" needs an array/],
    ['= with an array', [['a', '=', [1]]], /use "in"/],
    ['an array in an array', [['a', 'in', [[1]]]], /neither text/],
    ['an object', [['a', '=', {}]], /neither text/],
    ['an object that pretends', [['a', '=', { toFixed: 1 }]], /neither text/],
    ['undefined', [['a', '=', undefined]], /neither text/],
    ['NaN', [['a', '=', Number.NaN]], /finite/],
    ['Infinity', [['a', 'in', [Number.POSITIVE_INFINITY]]], /finite/],
    ['like without string', [['a', 'like', 5]], /"like" needs a string/],
    ['ilike null', [['a', 'not ilike', null]], /needs a string/],
    ['a null byte', [['a', '=', 'x\0y']], /null byte/],
    ['a null byte in an array', [['a', 'in', ['x\0']]], /null byte/],
    ['a lone surrogate', [['a', 'ilike', '\ud800']], /surrogate/],
    ['an order with null', [['a', '<', null]], /needs a number/],
    ['an order with a boolean', [['a', '>=', true]], /needs a number/],
    ['child_of with text', [['a', 'child_of', 'x']], /record id/],
    ['child_of with a fraction', [['a', 'parent_of', [1.5]]], /record id/],
    ['too many values', [['a', 'in', Array(10_001).fill(1)]], /10000 values/],
    ['too many conditions', Array(2_001).fill(a), /1000 conditions/],
  ];
  for (const [name, input, message] of cases) {
    it(name, () => {
      const error = refusal(input);
      expect(error.code).toBe('INVALID_ARGS');
      expect(error.message).toMatch(message);
    });
  }

  it('names the field in the details', () => {
    expect(refusal([['partner_id.name', 'in', 1]]).details).toEqual({ field: 'partner_id.name' });
  });

  it('prototype names are fields like any other, and reach nothing', () => {
    expect(parseDomain([['__proto__', '=', 1]])).toEqual(node(['__proto__', '=', 1]));
  });
});
