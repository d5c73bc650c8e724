import type { GroupRow } from '@kontor/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { movedRow } from '../views/pivot/moved-row.ts';
import { type AxisNode, pivotTable, shownColumns, shownRows, sorted } from '../views/pivot/pivot-table.ts';
import { readOrder, writeOrder } from '../views/pivot/state.ts';
import { testBootstrap } from './bootstrap.ts';

beforeAll(() => void testBootstrap());

const row = (values: Record<string, unknown>) => ({ __count: 1, __domain: [], ...values }) as GroupRow;
const axes = { down: { path: [], groups: ['state'] }, across: { path: [], groups: ['day:month'] } };
const answer = {
  ...axes,
  rows: [
    row({ n: 9 }),
    row({ state: 'open', n: 4 }),
    row({ state: null, n: 5 }),
    row({ 'day:month': '2026-01', n: 9 }),
    row({ state: 'open', 'day:month': '2026-01', n: 4 }),
    row({ state: null, 'day:month': '2026-01', n: 5 }),
  ],
};
const keys = (nodes: readonly { readonly node: AxisNode }[]) => nodes.map(({ node }) => node.key);

describe('FIG-5 a pivot table is put together from answers', () => {
  it('absent is all values, null is none', () => {
    const table = pivotTable([answer]);
    expect(table.rows.children?.map(({ path }) => path)).toEqual([['open'], [null]]);
    expect(table.figure(table.rows, table.columns)?.n).toBe(9);
    const [open, none] = table.rows.children as readonly AxisNode[];
    expect(table.figure(none as AxisNode, table.columns.children?.[0] as AxisNode)?.n).toBe(5);
    expect(open?.children).toBeNull();
  });

  it('an opened group adds its parts, and one without parts is not asked again', () => {
    const down = { path: ['open'], groups: ['user_id'] };
    const parts = {
      down,
      across: axes.across,
      rows: [row({ user_id: 7, n: 4 }), row({ user_id: 7, 'day:month': '2026-01', n: 4 })],
    };
    const empty = { down: { path: [null], groups: ['user_id'] }, across: axes.across, rows: [] };
    const table = pivotTable([answer, parts, empty]);
    const [open, none] = table.rows.children as readonly AxisNode[];
    expect(open?.children?.map(({ path }) => path)).toEqual([['open', 7]]);
    expect(none?.children).toEqual([]);
    expect(keys(shownRows(table.rows, () => true))).toEqual(['["open"]', '["open",7]', '[null]', '[]']);
    expect(keys(shownRows(table.rows, () => false))).toEqual(['["open"]', '[null]', '[]']);
  });

  it('groups stand in the order of their figures, and an open column has its total after its parts', () => {
    const table = pivotTable([answer]);
    const highest = sorted(table.rows, (node) => table.figure(node, table.columns)?.n, true);
    expect(highest.children?.map(({ key }) => key)).toEqual(['[null]', '["open"]']);
    const across = { path: ['2026-01'], groups: ['day:day'] };
    const days = { down: axes.down, across, rows: [row({ 'day:day': '2026-01-15', n: 9 })] };
    const { columns, head, levels } = shownColumns(pivotTable([answer, days]).columns, () => true);
    expect(columns.map(({ node, isTotal }) => [node.key, isTotal])).toEqual([
      ['["2026-01","2026-01-15"]', false],
      ['["2026-01"]', true],
      ['[]', true],
    ]);
    expect(levels).toBe(2);
    expect(head.find(({ node, isTotal }) => node.key === '["2026-01"]' && !isTotal)).toMatchObject({
      from: 0,
      to: 2,
      levels: 1,
    });
  });

  it('figures of the period before stand where those of the period do', () => {
    const year = [
      { from: '2025-01-01', to: '2026-01-01' },
      { from: '2026-01-01', to: '2027-01-01' },
    ] as const;
    const moved = (values: Record<string, unknown>) => movedRow(row(values), year[0], year[1]);
    expect(moved({ 'day:month': '2025-02', 'at:quarter': '2025-Q4', name: '2025-02' })).toMatchObject({
      'day:month': '2026-02',
      'at:quarter': '2026-Q4',
      name: '2025-02',
    });
    const quarter = [
      { from: '2026-07-01', to: '2026-10-01' },
      { from: '2026-10-01', to: '2027-01-01' },
    ] as const;
    expect(movedRow(row({ 'day:month': '2026-08' }), quarter[0], quarter[1])).toMatchObject({ 'day:month': '2026-11' });
    const days = [
      { from: '2026-03-02', to: '2026-03-09' },
      { from: '2026-03-09', to: '2026-03-16' },
    ] as const;
    expect(movedRow(row({ 'day:day': '2026-03-04' }), days[0], days[1])).toMatchObject({ 'day:day': '2026-03-11' });
    expect(moved({ 'day:week': '2025-W10' })['day:week']).toMatch(/^2026-W1[01]$/);
  });

  it('the order is kept in the address', () => {
    const order = { rows: { measure: 'total:sum', path: '["2026-Q3"]', isDescending: true }, columns: null };
    expect(readOrder(writeOrder(order))).toEqual(order);
    expect(readOrder('nonsense')).toEqual({ rows: null, columns: null });
    expect(writeOrder({ rows: null, columns: null })).toBe('');
  });
});
