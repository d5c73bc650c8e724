import type { WorkspacePayload } from '@kontor/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyMove, toBoard } from '../views/kanban/board.ts';
import { usualHeight } from '../views/kanban/card-list.tsx';
import { handleRank, placeCard } from '../views/kanban/move-card.ts';
import { bucketDomain, bucketOf } from '../workspace/date-buckets.ts';
import { testBootstrap } from './bootstrap.ts';

beforeAll(() => void testBootstrap({ user: { ...testBootstrap().user, tz: 'Europe/Stockholm' } }));

const column = (value: number | null, count: number) => ({
  value,
  label: '',
  fold: false,
  count,
  sums: { amount: 10 },
});
const workspace = {
  arch: { kanban: { groupField: 'stage_id', columns: [column(null, 0), column(1, 2), column(2, 1)] } },
  records: [
    { id: 11, stage_id: 1, amount: 4 },
    { id: 21, stage_id: 2, amount: 10 },
    { id: 12, stage_id: 1, amount: 6 },
  ],
} as unknown as WorkspacePayload;
const recordOf = (id: number) => workspace.records.find((record) => record.id === id);

describe('the board', () => {
  it('SCN-82 expects a card to be as high as most were, so that one that comes moves no other', () => {
    const { expected, saw } = usualHeight('pieces');
    const after = (...heights: readonly number[]) => {
      heights.forEach(saw);
      return expected();
    };
    expect([after(90), after(130, 130), after(90)]).toEqual([90, 130, 130]);
    const next = usualHeight('pieces');
    expect(next.expected()).toBe(130);
    next.saw(90);
    expect([next.expected(), usualHeight('rooms').expected()]).toEqual([90, 112]);
  });

  it('puts cards into their columns, in the order of the server', () => {
    expect(toBoard(workspace, new Map()).map(({ ids }) => ids)).toEqual([[], [11, 12], [21]]);
    expect(toBoard(workspace, new Map([['1', [12, 11, 13]]]))[1]?.ids).toEqual([12, 11, 13]);
  });

  it('moves a card with its count and its amount, once', () => {
    const move = { id: 12, to: '2', before: 21 };
    const moved = applyMove(toBoard(workspace, new Map()), move, recordOf);
    expect(moved.map(({ ids }) => ids)).toEqual([[], [11], [12, 21]]);
    expect(moved.map(({ count }) => count)).toEqual([0, 1, 2]);
    expect(moved.map(({ sums }) => sums.amount)).toEqual([10, 4, 16]);
    expect(applyMove(moved, move, recordOf)).toEqual(moved);
  });
});

describe('the place of a card', () => {
  const place = (values: readonly number[], index: number, min?: number) =>
    placeCard({ order: values.map((_, at) => at), index, numberOf: (at) => values[at] as number, min });

  it('takes a number between its neighbours where there is one', () => {
    expect(place([10, 20], 1)).toEqual({ value: 15, shifts: [] });
    expect(place([10, 20], 0)).toEqual({ value: 9, shifts: [] });
    expect(place([10, 20], 2)).toEqual({ value: 21, shifts: [] });
    expect(place([], 0)).toEqual({ value: 0, shifts: [] });
  });

  it('makes room before it with as few writes as there are numbers', () => {
    expect(place([10, 10, 10, 10], 2)).toEqual({ value: 9, shifts: [{ ids: [1, 0], value: 8 }] });
    expect(place([8, 9, 10], 2)).toEqual({
      value: 9,
      shifts: [
        { ids: [1], value: 8 },
        { ids: [0], value: 7 },
      ],
    });
  });

  it('makes room after it where the field takes no lower numbers', () => {
    expect(place([0, 0, 0], 1, 0)).toEqual({ value: 1, shifts: [{ ids: [1, 2], value: 2 }] });
    expect(place([0, 5], 0, 0)).toEqual({ value: 0, shifts: [{ ids: [0], value: 1 }] });
  });

  it('keeps an order that goes before the one people drag', () => {
    const rank = handleRank('-priority, sequence, -id', 'sequence');
    expect(rank.isFree).toBe(true);
    expect(rank.compare({ priority: '3' }, { priority: '1' })).toBeLessThan(0);
    expect(rank.compare({ priority: '1', sequence: 5 }, { priority: '1', sequence: 2 })).toBe(0);
    expect(handleRank('-amount', 'sequence').isFree).toBe(false);
    expect(handleRank('', 'sequence').isFree).toBe(true);
  });
});

describe('columns of dates', () => {
  it.each([
    ['year', '2026', '2026-01-01', '2027-01-01'],
    ['quarter', '2026-Q4', '2026-10-01', '2027-01-01'],
    ['month', '2026-12', '2026-12-01', '2027-01-01'],
    ['week', '2026-W53', '2026-12-28', '2027-01-04'],
    ['day', '2026-12-31', '2026-12-31', '2027-01-01'],
  ])('know what falls into a %s', (granularity, bucket, from, to) => {
    expect(bucketOf('2026-12-31', granularity)).toBe(bucket);
    expect(bucketDomain('due', 'date', bucket)).toEqual([
      ['due', '>=', from],
      ['due', '<', to],
    ]);
  });

  it('follow the clock of the person', () => {
    expect(bucketOf('2026-11-30T23:30:00Z', 'month')).toBe('2026-12');
    expect(bucketDomain('at', 'datetime', '2026-12')).toEqual([
      ['at', '>=', '2026-11-30T23:00:00.000Z'],
      ['at', '<', '2026-12-31T23:00:00.000Z'],
    ]);
  });
});
