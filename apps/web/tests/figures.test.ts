import {
  comparedPeriod,
  type Domain,
  domainIn,
  type GroupRow,
  type MeasureArch,
  type WorkspacePayload,
} from '@kontor/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { niceTicks } from '../views/graph/layout.ts';
import { bucketsBetween, bucketsOf } from '../views/graph/places.ts';
import { subtractFigures } from '../views/graph/subtract-figures.ts';
import { periodOf } from '../workspace/analysis/comparison.ts';
import {
  convertedText,
  currencyOf,
  drawnMeasures,
  drawnRow,
  inCurrency,
  otherAmounts,
  tableCurrency,
} from '../workspace/analysis/currency.ts';
import { archField } from './arch-field.ts';
import { testBootstrap } from './bootstrap.ts';

beforeAll(() => void testBootstrap());

const date = archField('day', 'date', { label: 'Day' });

describe('periods', () => {
  it.each<[string, Domain, string, string]>([
    [
      'a month',
      [
        ['day', '>=', '2026-11-01'],
        ['day', '<', '2026-12-01'],
      ],
      '2026-11-01',
      '2026-12-01',
    ],
    [
      'days with their last',
      [
        ['day', '>=', '2026-11-03'],
        ['day', '<=', '2026-11-09'],
      ],
      '2026-11-03',
      '2026-11-10',
    ],
    ['one day', [['day', '=', '2026-11-03']], '2026-11-03', '2026-11-04'],
    [
      'the narrowest of several',
      [
        ['day', '>', '2026-01-01'],
        ['day', '>=', '2025-01-01'],
        ['day', '<', '2026-02-01'],
      ],
      '2026-01-02',
      '2026-02-01',
    ],
  ])('GRA-1 are read from a domain: %s', (_, domain, from, to) => {
    expect(periodOf(domain, date)).toEqual({ from, to });
  });

  it('GRA-1 are none where a side is open', () => {
    expect(periodOf([['day', '>=', '2026-11-01']], date)).toBeNull();
    expect(periodOf([['day', '!=', null]], date)).toBeNull();
  });

  it('GRA-1 are compared with whole ones before them, and a leap day has its neighbour', () => {
    expect(comparedPeriod({ from: '2026-10-01', to: '2027-01-01' }, 'previous')).toEqual({
      from: '2026-07-01',
      to: '2026-10-01',
    });
    expect(comparedPeriod({ from: '2026-03-01', to: '2026-04-01' }, 'previous')).toEqual({
      from: '2026-02-01',
      to: '2026-03-01',
    });
    expect(comparedPeriod({ from: '2026-11-09', to: '2026-11-16' }, 'previous')).toEqual({
      from: '2026-11-02',
      to: '2026-11-09',
    });
    expect(comparedPeriod({ from: '2028-02-29', to: '2028-03-01' }, 'year')).toEqual({
      from: '2027-02-28',
      to: '2027-03-01',
    });
    const domain: Domain = [
      ['day', '>=', '2026-11-01'],
      ['day', '<', '2026-12-01'],
      ['state', '=', 'open'],
    ];
    expect(domainIn(domain, date, { from: '2025-11-01', to: '2025-12-01' })).toEqual([
      ['state', '=', 'open'],
      ['day', '>=', '2025-11-01'],
      ['day', '<', '2025-12-01'],
    ]);
  });

  it('GRA-1 have a place for every span, also those without records', () => {
    expect(bucketsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(bucketsBetween('2025-W51', '2026-W02')).toEqual(['2025-W51', '2025-W52', '2026-W01', '2026-W02']);
    expect(bucketsOf({ from: '2026-01-01', to: '2027-01-01' }, 'quarter')).toEqual([
      '2026-Q1',
      '2026-Q2',
      '2026-Q3',
      '2026-Q4',
    ]);
    expect(bucketsBetween('1900-01-01', '2026-01-01')).toEqual([]);
  });
});

describe('figures', () => {
  it('GRA-1 are taken from each other as money is', () => {
    expect(subtractFigures(0.3, 0.2)).toBe(0.1);
    expect(subtractFigures('12345678901234568.00', '0.11')).toBe('12345678901234567.89');
    expect(subtractFigures(-0.05, -0.02)).toBe(-0.03);
    expect(subtractFigures(4, null)).toBe(4);
  });

  it('GRA-7 stand on an axis of round numbers that holds them', () => {
    expect(niceTicks(0, 112_460, 6)).toEqual([0, 20_000, 40_000, 60_000, 80_000, 100_000, 120_000]);
    expect(niceTicks(0, 0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(niceTicks(-40, 60, 5)).toEqual([-40, -20, 0, 20, 40, 60]);
  });
});

describe('FIG-19 currencies', () => {
  const measure = (name: string, label: string, how: MeasureArch['measure'] = 'sum'): MeasureArch => ({
    ...{ name, label, field: name, measure: how },
  });
  const measures = [
    measure('amount', 'Amount'),
    measure('turnover', 'Turnover'),
    measure('__count', 'Orders', 'count'),
  ];
  const row = (money: GroupRow['__money'], values: object) =>
    ({ __count: 3, __domain: [], ...(money ? { __money: money } : {}), ...values }) as GroupRow;
  const whole = row(
    {
      amount: [
        { currency: 'EUR', value: '10.00' },
        { currency: 'USD', value: '70.00' },
      ],
      turnover: [{ currency: 'EUR', value: '64.00' }],
    },
    { amount: null, turnover: '64.00' },
  );
  const workspaceOf = (code?: string) =>
    ({ arch: { fields: [], ...(code ? { moneyIn: { asked: 'company', code } } : {}) } }) as unknown as WorkspacePayload;
  const chosen = (currency: string, code?: string) => ({
    measures,
    workspace: workspaceOf(code),
    option: (name: string) => (name === 'currency' ? currency : ''),
  });

  it('are a column each where a measure has several, and each measure keeps its own', () => {
    const drawn = drawnMeasures(chosen(''), whole);
    expect(drawn.map(({ label, code }) => [label, code])).toEqual([
      ['Amount (USD)', 'USD'],
      ['Amount (EUR)', 'EUR'],
      ['Turnover', 'EUR'],
      ['Orders', null],
    ]);
    const told = drawnRow(whole, drawn);
    expect(drawn.map(({ name }) => told[name] ?? told.__count)).toEqual(['70.00', '10.00', '64.00', 3]);
    expect(tableCurrency(chosen(''), whole)).toEqual({ codes: ['USD', 'EUR'], code: null, isAll: true });
  });

  it('are chosen without taking the currency of a measure that has only another one', () => {
    const drawn = drawnMeasures(chosen('USD'), whole);
    expect(drawn.map(({ label, code }) => [label, code])).toEqual([
      ['Amount (USD)', 'USD'],
      ['Turnover', 'EUR'],
      ['Orders', null],
    ]);
    expect(tableCurrency(chosen('USD'), whole)).toEqual({ codes: ['USD', 'EUR'], code: 'USD', isAll: false });
  });

  it('FIG-25 that are converted say so, and those without a rate are named and opened apart', () => {
    const converted = row(
      {
        amount: [
          { currency: 'EUR', value: '74.81' },
          { currency: 'XXX', value: '900.00' },
        ],
      },
      { amount: null },
    );
    const analysis = chosen('', 'EUR');
    expect(drawnMeasures(analysis, converted).map(({ label }) => label)).toEqual([
      'Amount (XXX)',
      'Amount (EUR, converted)',
      'Turnover',
      'Orders',
    ]);
    const choice = currencyOf(analysis, measures[0] as MeasureArch, converted);
    expect(choice).toEqual({ codes: ['XXX', 'EUR'], code: 'EUR', target: 'EUR' });
    expect(convertedText(analysis, choice)).toBe(
      'Amounts are converted to EUR at the stored rates. Not converted, because there is no rate: XXX.',
    );
    expect(inCurrency('currency_id', choice)).toEqual([['currency_id', '!=', 'XXX']]);
    expect(inCurrency('currency_id', { ...choice, code: 'XXX' })).toEqual([['currency_id', '=', 'XXX']]);
    expect(convertedText(chosen(''), choice)).toBeNull();
  });

  it('that are not looked at are told beside the figure', () => {
    const choice = { codes: ['USD', 'EUR'], code: 'USD' };
    expect(otherAmounts(whole, measures[0] as MeasureArch, choice)).toEqual([{ currency: 'EUR', value: '10.00' }]);
    expect(otherAmounts(whole, measures[1] as MeasureArch, { codes: ['EUR'], code: 'EUR' })).toEqual([]);
  });
});
