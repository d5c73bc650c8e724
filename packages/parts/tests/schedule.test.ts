import { describe, expect, it } from 'vitest';
import { expressionProblem, nextCall, type Schedule } from '../jobs/schedule.ts';

const berlin: Schedule = {
  expression: null,
  intervalNumber: 1,
  intervalUnit: 'days',
  timezone: 'Europe/Berlin',
  startsAt: new Date('2026-01-01T01:30:00Z'),
};

/** The times that a schedule gives one after another, each asked for at the one before. */
function times(schedule: Schedule, after: string, count: number): string[] {
  const found: string[] = [];
  let at = new Date(after);
  for (let i = 0; i < count; i++) {
    at = nextCall(schedule, at) as Date;
    found.push(at.toISOString().replace(':00.000Z', 'Z'));
  }
  return found;
}

describe('CRN-2 the clock on the wall', () => {
  it('CRN-2 days keep their hour when clocks are put forward and back, each once', () => {
    expect(times(berlin, '2026-03-27T12:00:00Z', 4)).toEqual([
      '2026-03-28T01:30Z',
      // Half past two does not come in this night: it is half past three.
      '2026-03-29T01:30Z',
      '2026-03-30T00:30Z',
      '2026-03-31T00:30Z',
    ]);
    expect(times(berlin, '2026-10-24T12:00:00Z', 3)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
      '2026-10-27T01:30Z',
    ]);
    expect(times(berlin, '2026-10-25T00:45:00Z', 1)).toEqual(['2026-10-26T01:30Z']);
  });

  it('CRN-2 expressions neither skip nor repeat a night, and hours pass evenly', () => {
    const nightly = { ...berlin, expression: '30 2 * * *' };
    expect(times(nightly, '2026-03-28T12:00:00Z', 2)[0]?.slice(0, 10)).toBe('2026-03-29');
    expect(times(nightly, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30Z', '2026-10-26T01:30Z']);
    const hourly = { ...berlin, expression: '30 * * * *' };
    expect(times(hourly, '2026-10-24T23:00:00Z', 4)).toEqual([
      '2026-10-24T23:30Z',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:30Z',
    ]);
  });

  it('CRN-2 months end where they end and remember their day', () => {
    const monthly: Schedule = {
      ...berlin,
      intervalUnit: 'months',
      timezone: 'UTC',
      startsAt: new Date('2026-01-31T08:00:00Z'),
    };
    expect(times(monthly, '2026-01-31T08:00:00Z', 4)).toEqual([
      '2026-02-28T08:00Z',
      '2026-03-31T08:00Z',
      '2026-04-30T08:00Z',
      '2026-05-31T08:00Z',
    ]);
  });

  it('CRN-2 a late run moves nothing, and missed ones are not made up for', () => {
    const often: Schedule = { ...berlin, intervalUnit: 'minutes', intervalNumber: 15 };
    expect(times(often, '2026-01-01T02:07:12Z', 2)).toEqual(['2026-01-01T02:15Z', '2026-01-01T02:30Z']);
    const weekly: Schedule = { ...berlin, intervalUnit: 'weeks', intervalNumber: 2 };
    expect(times(weekly, '2036-01-01T00:00:00Z', 1)[0]).toMatch(/^2036-01-\d\dT01:30Z$/);
    expect(nextCall(often, new Date('2025-01-01T00:00:00Z'))).toEqual(often.startsAt);
  });

  it('CRN-2 says what is wrong with an expression', () => {
    expect(expressionProblem('30 2 * * 1-5')).toBeNull();
    expect(expressionProblem('61 * * * *')).toMatch(/minute/);
    expect(expressionProblem('often')).not.toBeNull();
    expect(expressionProblem('0 0 31 2 *')).toMatch(/never/);
  });
});
