import { describe, expect, it } from 'vitest';
import { type EvaluateContext, evaluateDomain, parseDomain } from '../index.ts';

function holds(domain: unknown, record: Record<string, unknown>, context: EvaluateContext = {}): boolean {
  return evaluateDomain(parseDomain(domain), record, context);
}

const record = {
  id: 7,
  name: 'Azure',
  note: '',
  qty: 3,
  amount: 10.1,
  active: false,
  day: '2026-11-14',
  at: '2026-11-14T09:30:00.000Z',
  partner_id: { id: 4, display_name: 'Deco', country_id: { id: 1, code: 'CH' } },
  user_id: 5,
  team_id: null,
  line_ids: [
    { id: 1, qty: 1 },
    { id: 2, qty: 5 },
  ],
  tag_ids: [8, 9],
  empty_ids: [],
};

describe('DOM-9 evaluation without knowing types', () => {
  const cases: [unknown[], boolean][] = [
    [['name', '=', 'Azure'], true],
    [['name', '!=', 'Azure'], false],
    [['name', 'ilike', 'ZUR'], true],
    [['name', '=like', 'A_ur%'], true],
    [['note', '=', false], true],
    [['note', '=', null], true],
    [['note', 'in', ['x', null]], true],
    [['missing', '=', null], true],
    [['missing', '!=', 'x'], true],
    [['missing', '<', 5], false],
    [['missing', 'child_of', 5], false],
    [['qty', '>', 2.5], true],
    [['qty', '=', '3.00'], true],
    [['qty', '=', false], false],
    [['amount', '=', '10.10'], true],
    [['active', '=', false], true],
    [['active', '=', null], false],
    [['active', '!=', true], true],
    [['day', '<=', '2026-11-14'], true],
    [['at', '=', '2026-11-14T10:30:00+01:00'], true],
    [['at', '>', '2026-11-14'], true],
    [['partner_id', '=', 4], true],
    [['partner_id', 'ilike', 'dec'], true],
    [['partner_id', '=', 'Deco'], true],
    [['partner_id', '=', false], false],
    [['partner_id.country_id.code', 'in', ['CH', 'FR']], true],
    [['partner_id.country_id.id', '=', 1], true],
    [['user_id', '=', 5], true],
    [['user_id', 'ilike', 'x'], false],
    [['user_id', 'ilike', '5'], false],
    [['user_id.id', '=', 5], true],
    [['user_id.name', '=', null], false],
    [['user_id.name', '!=', 'x'], true],
    [['team_id', '=', false], true],
    [['team_id.name', '=', false], false],
    [['line_ids.qty', '=', 5], true],
    [['line_ids.qty', '!=', 5], false],
    [['line_ids', 'in', [2, 3]], true],
    [['tag_ids', '=', 8], true],
    [['tag_ids', 'not in', [8]], false],
    [['empty_ids', '=', null], true],
    [['empty_ids', '!=', null], false],
    [['empty_ids.qty', '!=', 1], true],
    [['constructor', '=', null], true],
    [['__proto__', '=', null], true],
    [['__proto__.x', '=', 1], false],
  ];
  for (const [condition, expected] of cases) {
    it(`${JSON.stringify(condition)} is ${expected}`, () => expect(holds([condition], record)).toBe(expected));
  }

  it('logic', () => {
    expect(holds([], record)).toBe(true);
    expect(holds(['|', ['qty', '=', 1], ['qty', '=', 3]], record)).toBe(true);
    expect(holds(['!', '|', ['qty', '=', 1], ['qty', '=', 3]], record)).toBe(false);
    expect(
      holds(
        [
          ['qty', '=', 3],
          ['name', '=', 'x'],
        ],
        record,
      ),
    ).toBe(false);
  });
});

describe('DOM-7 tokens', () => {
  const tokens = { uid: 5, companyId: null, companyIds: [1, 2], today: '2026-11-14', now: '2026-11-14T09:30:00.000Z' };

  it('are filled in, inside arrays too', () => {
    expect(holds([['user_id', '=', '$uid']], record, { tokens })).toBe(true);
    expect(holds([['user_id', 'in', ['$uid', 99]]], record, { tokens })).toBe(true);
    expect(holds([['company_id', 'in', '$company_ids']], { company_id: 2 }, { tokens })).toBe(true);
    expect(holds([['company_id', 'in', ['$company_ids', 7]]], { company_id: 7 }, { tokens })).toBe(true);
    expect(holds([['company_id', 'in', ['$company_id', 7]]], { company_id: null }, { tokens })).toBe(true);
    expect(holds([['day', '=', '$today']], record, { tokens })).toBe(true);
    expect(holds([['at', '<=', '$now']], record, { tokens })).toBe(true);
  });

  it.each([
    ['$week', '2026-11-09'],
    ['$month', '2026-11-01'],
    ['$month-1', '2026-10-01'],
    ['$month-11', '2025-12-01'],
    ['$quarter', '2026-10-01'],
    ['$quarter+1', '2027-01-01'],
    ['$year', '2026-01-01'],
    ['$year-1', '2025-01-01'],
    ['$week-46', '2025-12-22'],
  ])('%s is the first day of its period', (token, day) => {
    expect(holds([['day', '=', token]], { day }, { tokens, typeOf: () => 'date' })).toBe(true);
  });

  it('a pattern is no token', () => {
    expect(holds([['name', 'ilike', '$today']], { name: 'is $today a token' }, { tokens })).toBe(true);
  });

  it('what free text is compared with is no token, but for a list of groups', () => {
    const context = { tokens: { ...tokens, groups: ['base.group_user'] }, typeOf: () => 'char' };
    for (const token of ['$uid', '$today', '$groups', '$month-1']) {
      expect(holds([['name', '=', token]], { name: token }, context)).toBe(true);
      expect(holds([['name', '!=', token]], { name: token }, context)).toBe(false);
    }
    expect(holds([['name', 'in', ['$uid']]], { name: '$uid' }, context)).toBe(true);
    expect(holds([['name', 'in', ['$groups']]], { name: 'base.group_user' }, context)).toBe(true);
    expect(holds([['name', 'in', '$groups']], { name: 'base.group_user' }, context)).toBe(true);
  });
});

describe('DOM-2 known types', () => {
  const typed = (type: string, tz?: string): EvaluateContext => ({ typeOf: () => type, ...(tz ? { tz } : {}) });

  it('decimals compare exactly', () => {
    expect(holds([['x', '=', '0.3']], { x: '0.30000000000000001' }, typed('monetary'))).toBe(false);
    expect(holds([['x', '<', 1e21]], { x: '999999999999999999999.99' }, typed('decimal'))).toBe(true);
    expect(holds([['x', '>', -1e-7]], { x: '-0.00000011' }, typed('decimal'))).toBe(false);
    expect(holds([['x', '=', -0]], { x: '0.00' }, typed('decimal'))).toBe(true);
  });

  it('a day given for a datetime is its first instant in the time zone', () => {
    const at = { x: '2026-11-13T23:00:00.000Z' };
    expect(holds([['x', '>=', '2026-11-14']], at, typed('datetime', 'Europe/Zurich'))).toBe(true);
    expect(holds([['x', '>=', '2026-11-14']], at, typed('datetime', 'UTC'))).toBe(false);
  });

  it('text is ordered by code point, not by UTF-16 unit', () => {
    expect(holds([['x', '>', '\uffee']], { x: '😀' }, typed('char'))).toBe(true);
  });

  it('an empty text is in no order', () => {
    expect(holds([['x', '<', 'b']], { x: '' }, typed('char'))).toBe(false);
    expect(holds([['x', '>=', '']], { x: null }, typed('char'))).toBe(false);
  });

  it('a value that does not fit the type is refused by name', () => {
    const wrong: [string, unknown[], RegExp][] = [
      ['integer', ['x', '>', 'abc'], /x: ">" needs a number/],
      ['monetary', ['x', '=', 'abc'], /needs a number/],
      ['monetary', ['x', 'in', [true]], /needs a number/],
      ['char', ['x', '=', 5], /needs a text/],
      ['boolean', ['x', '=', 1], /needs true or false/],
      ['boolean', ['x', '<', 'a'], /does not order/],
      ['date', ['x', '=', '2026-02-30'], /needs a day/],
      ['date', ['x', '>', '2026-11-14T00:00:00Z'], /needs a day/],
      ['date', ['x', '=', '0000-01-01'], /needs a day/],
      ['datetime', ['x', '=', '2026-11-14T25:00:00Z'], /needs a time/],
      ['datetime', ['x', '=', '2026-11-14T09:30:00'], /needs a time/],
      ['datetime', ['x', '=', '9999-12-31T23:00:00-05:00'], /needs a time/],
      ['date', ['x', 'ilike', '1'], /texts, numbers and relations only/],
      ['many2one', ['x', '=', 1.5], /needs a record id/],
      ['many2one', ['x', '<', 1], /does not order/],
      ['one2many', ['x', 'in', [true]], /needs a record id/],
      ['json', ['x', '=', 'a'], /only ask whether/],
      ['binary', ['x', '=', 'a'], /only ask whether/],
      ['json', ['x', '<', 'a'], /does not order/],
      ['char', ['x', 'child_of', 1], /id and on relations only/],
    ];
    for (const [type, condition, message] of wrong) {
      expect(() => holds([condition], { x: null }, typed(type)), JSON.stringify(condition)).toThrow(message);
    }
  });

  it('child_of and parent_of need to know the tree', () => {
    expect(() => holds([['id', 'child_of', 1]], { id: 3 })).toThrow(/asked of the server/);
    const context = { ancestors: (id: number) => (id === 3 ? [2, 1] : []) };
    expect(holds([['id', 'child_of', 1]], { id: 3 }, context)).toBe(true);
    expect(holds([['id', 'child_of', [3]]], { id: 3 }, context)).toBe(true);
    expect(holds([['id', 'parent_of', 3]], { id: 1 }, context)).toBe(true);
    expect(holds([['id', 'parent_of', 1]], { id: 3 }, context)).toBe(false);
  });
});
