import { describe, expect, it } from 'vitest';
import { cellChange, hoursOf, type TimeEntry, weekRows } from '../client/week/week-rows.ts';

const entry = (values: Partial<TimeEntry>): TimeEntry => ({
  ...{ id: 1, date: '2026-11-16', hours: 1, projectId: 1, project: 'Hotel', taskId: null, task: null },
  ...values,
});

const days = ['16', '17', '18', '19', '20', '21', '22'].map((day) => `2026-11-${day}`);

describe('the week of a person', () => {
  it('PRJ-9 has a row for each project and task of the week, of the one before, and that was added', () => {
    const entries = [
      entry({ id: 1, taskId: 7, task: 'Plan' }),
      entry({ id: 2, taskId: 7, task: 'Plan', date: '2026-11-18', hours: 0.5 }),
      entry({ id: 3, date: '2026-11-10', projectId: 2, project: 'Barn' }),
    ];
    const rows = weekRows(days, entries, [{ projectId: 1, project: 'Hotel', taskId: null, task: null }]);
    expect(rows.map(({ key }) => key)).toEqual(['2/', '1/', '1/7']);
    expect(rows[2]?.days.map(hoursOf)).toEqual([1, 0, 0.5, 0, 0, 0, 0]);
    expect(rows[0]?.days.flat()).toEqual([]);
  });

  it('PRJ-9 hours that are typed create, change or delete entries; of several, the last one takes the difference', () => {
    const one = [entry({ hours: 1.5 })];
    const two = [entry({ hours: 1.5 }), entry({ id: 2, hours: 0.25 })];
    expect(cellChange([], 2)).toEqual({ does: 'create', hours: 2 });
    expect(cellChange([], 0)).toBeNull();
    expect(cellChange(one, 1.5)).toBeNull();
    expect(cellChange(one, 2.1)).toEqual({ does: 'write', id: 1, hours: 2.1 });
    expect(cellChange(two, 2)).toEqual({ does: 'write', id: 2, hours: 0.5 });
    expect(cellChange(two, 1.5)).toEqual({ does: 'refuse' });
    expect(cellChange(two, 0)).toEqual({ does: 'unlink', ids: [1, 2] });
    expect(cellChange(one, -1)).toEqual({ does: 'refuse' });
    expect(cellChange(one, 25)).toEqual({ does: 'refuse' });
    expect(hoursOf([entry({ hours: 0.1 }), entry({ hours: 0.2 })])).toBe(0.3);
  });
});
