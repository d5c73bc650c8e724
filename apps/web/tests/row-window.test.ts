import { describe, expect, it } from 'vitest';
import { equalRows, measuredRows } from '../ui/use-window.ts';
import type { Row } from '../views/list/rows.ts';
import { allLines, nextPace, pacedLines } from '../views/list/use-paced-rows.ts';
import { slottedRows } from '../views/list/use-row-slots.ts';

describe('rows of a list that moves', () => {
  const rows = { at: (index: number) => ({ kind: 'record', key: String(index), id: index, depth: 0 }) as const };
  const sight = { from: 100, to: 139, first: 106, last: 133 };
  const recordsOf = ({ lines }: ReturnType<typeof pacedLines>) =>
    lines.flatMap(({ row }) => (row.kind === 'record' ? [row] : []));

  it('are drawn a few a frame, those in sight first, until all are there', () => {
    let drawn = new Set<string>();
    const counts: number[] = [];
    for (let isHeld = true; isHeld; ) {
      const frame = pacedLines(rows, sight, { drawn, room: 18, active: -1 });
      drawn = new Set(recordsOf(frame).map(({ key }) => key));
      counts.push(drawn.size);
      isHeld = frame.isHeld;
      if (counts.length === 1) expect([...drawn]).toEqual(Array.from({ length: 18 }, (_, at) => String(106 + at)));
    }
    expect(counts).toEqual([18, 36, 40]);
  });

  it('are fewer a frame on a slow machine, and more again on a fast one', () => {
    const after = (pace: number, tookMs: number, added = pace) => nextPace(pace, { tookMs, added });
    expect([after(8, 120), after(4, 50), after(2, 300)]).toEqual([4, 2, 2]);
    expect([after(4, 17), after(8, 17), after(4, 33)]).toEqual([5, 8, 4]);
    // A frame that had one of four says nothing of five.
    expect(after(4, 17, 1)).toBe(4);
  });

  it('that were drawn before stay, and the one with the focus never waits', () => {
    const before = new Set(Array.from({ length: 20 }, (_, at) => String(100 + at)));
    const { lines } = pacedLines(rows, sight, { drawn: before, room: 0, active: 139 });
    expect(lines.slice(0, 20).every(({ row }) => row.kind === 'record')).toBe(true);
    expect(lines.at(-1)).toMatchObject({ row: { kind: 'record' }, index: 139 });
  });

  it('SCN-73 that wait one after another are one row of the table', () => {
    const drawn = new Set(['104', '120']);
    const { lines } = pacedLines(rows, sight, { drawn, room: 1, active: -1 });
    expect(lines.map(({ row, index, count }) => [row.kind, index, count])).toEqual([
      ['wait', 100, 4],
      ['record', 104, 1],
      ['wait', 105, 1],
      ['record', 106, 1],
      ['wait', 107, 13],
      ['record', 120, 1],
      ['wait', 121, 19],
    ]);
    expect(allLines(rows, sight).lines).toHaveLength(40);
  });

  it('SCN-70 are drawn by those that left, each by one of its kind, and never by the one with the focus', () => {
    const line = (index: number) => rows.at(index);
    const before = {
      rows: [1, 2, 3, 4].map((id) => ({ row: line(id), index: id, count: 1, slot: 10 + id })),
      own: new Set(['1']),
    };
    let last = 20;
    const given = (lines: readonly Row[], canReuse: boolean) =>
      slottedRows(
        lines.map((row, index) => ({ row, index, count: 1 })),
        canReuse,
        before,
        () => ++last,
      ).map(({ slot, row }) => [slot, row.key]);
    const wait = { kind: 'wait', key: 'wait-7' } as const;
    expect(given([3, 4, 5].map(line), true)).toEqual([
      [13, '3'],
      [14, '4'],
      [12, '5'],
    ]);
    expect(given([line(4), wait, line(5), line(6), line(7)], true)).toEqual([
      [14, '4'],
      [22, 'wait-7'],
      [21, '5'],
      [12, '6'],
      [13, '7'],
    ]);
    expect(given([3, 5].map(line), false)).toEqual([
      [13, '3'],
      [23, '5'],
    ]);
  });

  it('SCN-70 stay in the order of the list, and those that stay are never moved for one that comes', () => {
    const slotted = (ids: readonly number[]) =>
      ids.map((id, at) => ({ row: rows.at(id), index: id, count: 1, slot: 100 + at }));
    const scrolled = (from: readonly number[], to: readonly number[]) => {
      const before = { rows: slotted(from), own: new Set<string>() };
      let last = 200;
      return slottedRows(slotted(to), true, before, () => ++last).map(({ slot }) => slot);
    };
    expect(scrolled([1, 2, 3, 4], [3, 4, 5, 6])).toEqual([102, 103, 100, 101]);
    // Up: an element from the end would have to pass all that stay, so two are new.
    expect(scrolled([3, 4, 5, 6], [1, 2, 3, 4])).toEqual([202, 201, 100, 101]);
    expect(scrolled([1, 2, 3], [7, 8, 9])).toEqual([100, 101, 102]);
    expect(scrolled([1, 2, 3, 4], [2, 3])).toEqual([101, 102]);
  });
});

describe('where rows stand', () => {
  it('is counted where all are equally high', () => {
    const { topOf, rowAt } = equalRows(36);
    expect([topOf(10_000), rowAt(359_999), rowAt(360_000), rowAt(-5)]).toEqual([360_000, 9_999, 10_000, 0]);
  });

  it('is known of rows that were measured, and expected of the others', () => {
    const { topOf, rowAt } = measuredRows(
      5,
      34,
      new Map([
        [1, 60],
        [3, 20],
      ]),
    );
    expect([0, 1, 2, 3, 4, 5, 9].map(topOf)).toEqual([0, 34, 94, 128, 148, 182, 182]);
    expect([-3, 33, 34, 93, 94, 147, 148, 900].map(rowAt)).toEqual([0, 0, 1, 1, 2, 3, 4, 4]);
    const moved = measuredRows(3, 34, new Map([[70, 60]]), (index) => [50, 60, 70][index] as number);
    expect([0, 1, 2, 3].map(moved.topOf)).toEqual([0, 34, 68, 128]);
    const none = measuredRows(0, 34, new Map());
    expect([none.topOf(0), none.rowAt(70)]).toEqual([0, 0]);
  });
});
