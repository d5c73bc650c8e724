import { describe, expect, it } from 'vitest';
import {
  type AnalysisTime,
  analysisTime,
  type Comparison,
  changeOf,
  changeQuestions,
  type Domain,
  graphQuestions,
  type Period,
  pivotQuestion,
} from '../index.ts';

const field = { name: 'day', type: 'date' } as never;

function timeAt(today: string, from: string, to: string, compare: Comparison | null): AnalysisTime {
  const tokens = { uid: 1, companyId: 1, companyIds: [1], today, now: `${today}T12:00:00Z` };
  return analysisTime(domainOf(from, to), field, compare, { tokens, tz: 'UTC' });
}

function domainOf(from: string, to: string): Domain {
  return [
    ['day', '>=', from],
    ['day', '<', to],
  ];
}

const days = (period: Period | null) => period && `${period.from} ${period.to}`;

describe('FIG-17 a change is between the days so far and the same days before', () => {
  it.each<[string, string, string, string, Comparison, string | null, string]>([
    ['a year', '2026-11-18', '2026-01-01', '2027-01-01', 'year', '2026-01-01 2026-11-19', '2025-01-01 2025-11-19'],
    ['a year that is over', '2027-03-01', '2026-01-01', '2027-01-01', 'year', null, '2025-01-01 2026-01-01'],
    ['a year to come', '2025-03-01', '2026-01-01', '2027-01-01', 'year', null, '2025-01-01 2026-01-01'],
    ['its last day', '2026-12-31', '2026-01-01', '2027-01-01', 'year', null, '2025-01-01 2026-01-01'],
    [
      'a quarter',
      '2026-11-18',
      '2026-10-01',
      '2027-01-01',
      'previous',
      '2026-10-01 2026-11-19',
      '2026-07-01 2026-08-19',
    ],
    [
      'a longer month',
      '2026-03-30',
      '2026-03-01',
      '2026-04-01',
      'previous',
      '2026-03-01 2026-03-31',
      '2026-02-01 2026-03-01',
    ],
    ['a week', '2026-11-18', '2026-11-16', '2026-11-23', 'previous', '2026-11-16 2026-11-19', '2026-11-09 2026-11-12'],
    [
      'the 28th of a leap year',
      '2028-02-28',
      '2028-01-01',
      '2029-01-01',
      'year',
      '2028-01-01 2028-02-29',
      '2027-01-01 2027-03-01',
    ],
    [
      'the leap day',
      '2028-02-29',
      '2028-01-01',
      '2029-01-01',
      'year',
      '2028-01-01 2028-03-01',
      '2027-01-01 2027-03-01',
    ],
    [
      'the year after it',
      '2029-02-28',
      '2029-01-01',
      '2030-01-01',
      'year',
      '2029-01-01 2029-03-01',
      '2028-01-01 2028-03-01',
    ],
  ])('%s', (_, today, from, to, compare, soFar, sameDays) => {
    const time = timeAt(today, from, to, compare);
    expect([days(time.soFar), days(time.sameDays)]).toEqual([soFar, sameDays]);
  });

  it('graph, pivot and tile ask about the same days', () => {
    const time = timeAt('2026-11-18', '2026-01-01', '2027-01-01', 'year');
    const domain = domainOf('2026-01-01', '2027-01-01');
    const fields = [{ name: 'price', field: 'price', measure: 'sum' }] as const;
    const graph = (axis: string) => graphQuestions({ domain, axis, split: [], fields, time }).map((one) => one?.domain);
    const pivot = changeQuestions((within) => pivotQuestion(within, ['partner_id'], [], fields), domain, time);
    const [before, now] = [domainOf('2025-01-01', '2025-11-19'), domainOf('2026-01-01', '2026-11-19')];
    expect(graph('partner_id')).toEqual([domain, undefined, before, now]);
    expect([pivot.before?.domain, pivot.now?.domain]).toEqual([before, now]);
    // Along the dates themselves the picture has all of the period before; the change has the same days.
    expect(graph('day:month')).toEqual([domain, domainOf('2025-01-01', '2026-01-01'), before, now]);
  });

  it('asks nothing more where nothing is compared, and where all days count', () => {
    const domain = domainOf('2026-01-01', '2027-01-01');
    const ask = (within: Domain) => pivotQuestion(within, [], [], []);
    const open = changeQuestions(ask, domain, timeAt('2026-11-18', '2026-01-01', '2027-01-01', null));
    expect(open).toEqual({ before: null, now: null });
    const over = changeQuestions(ask, domain, timeAt('2027-11-18', '2026-01-01', '2027-01-01', 'year'));
    expect([over.before?.domain, over.now]).toEqual([domainOf('2025-01-01', '2026-01-01'), null]);
  });

  it('is a part of what was before, whatever its sign, and none of nothing', () => {
    expect([changeOf(150, 100), changeOf(50, -100), changeOf(5, 0), changeOf(5, null)]).toEqual([0.5, 1.5, null, null]);
  });
});
