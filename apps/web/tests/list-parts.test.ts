import type { ArchField, ListArch, Selection } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { createPages } from '../data/pages.ts';
import { widgetOf } from '../fields/registry.tsx';
import { type GroupLevel, type GroupTree, groupAt, rowRanges, rowsOf } from '../views/list/group-rows.ts';
import { renumber } from '../views/list/row-drag.tsx';
import { type Column, columnChanges, columnsOf, nextSort, sortOf } from '../views/table/columns.ts';
import { fitWidths, sizedByContent } from '../views/table/widths.ts';
import { archField } from './arch-field.ts';

describe('sorting', () => {
  it('goes up, down and away', () => {
    expect(nextSort('', 'name', false)).toBe('name');
    expect(nextSort('name', 'name', false)).toBe('-name');
    expect(nextSort('-name', 'name', false)).toBe('');
    expect(sortOf('-date, name', 'date')).toBe('down');
  });

  it('adds a further level after those before', () => {
    expect(nextSort('-date', 'name', true)).toBe('-date, name');
    expect(nextSort('-date, name', 'date', true)).toBe('name');
  });
});

describe('columns', () => {
  const fields = ['sequence', 'image', 'name', 'phone', 'note'].map((name) =>
    archField(name, name === 'sequence' ? 'integer' : 'char', { required: name === 'name' }),
  );
  const list = (...columns: ListArch['columns']): ListArch => ({ columns, create: true, delete: true, buttons: [] });
  const plain = list({ name: 'sequence' }, { name: 'phone' }, { name: 'name' }, { name: 'note', optional: 'hide' });
  const shownOf = (columns: readonly Column[]) => columns.flatMap(({ name, isHidden }) => (isHidden ? [] : name));

  it('leave out the handle, what is never visible, and fields that the person may not read', () => {
    const given = list({ name: 'sequence' }, { name: 'name', invisible: true }, { name: 'gone' }, { name: 'phone' });
    expect(columnsOf({ list: { ...given, handle: 'sequence' }, fields }).map(({ name }) => name)).toEqual(['phone']);
    expect(columnsOf({ list: undefined, fields })).toEqual([]);
  });

  it('are named by the view before the field, and the first required text names the record', () => {
    const columns = columnsOf({ list: list({ name: 'phone', label: 'Call' }, { name: 'name' }), fields });
    expect(columns.map(({ label, isMain }) => [label, isMain === true])).toEqual([
      ['Call', false],
      ['name', true],
    ]);
    expect(columnsOf({ list: list({ name: 'phone' }), fields })[0]?.isMain).toBe(true);
  });

  it('are shown, ordered and sized as the person chose; until then as the view says', () => {
    expect(shownOf(columnsOf({ list: plain, fields }))).toEqual(['sequence', 'phone', 'name']);
    const choice = { order: ['name', 'note', 'sequence', 'phone'], hidden: ['phone'], widths: { note: 90 } };
    const columns = columnsOf({ list: plain, fields, choice });
    expect(shownOf(columns)).toEqual(['name', 'note', 'sequence']);
    expect(columns.map(({ isSized }) => isSized)).toEqual([false, true, false, false]);
    expect(columns[1]?.width).toBe(90);
  });

  it('are hidden, moved, resized and put back one at a time', () => {
    const columns = columnsOf({ list: plain, fields });
    const kept: unknown[] = [];
    const change = columnChanges(columns, { order: [], hidden: [], widths: { name: 70 } }, (choice) =>
      kept.push(choice),
    );
    const order = ['sequence', 'phone', 'name', 'note'];
    change.toggle('phone');
    change.toggle('note');
    change.resize('phone', 99.6);
    change.move('sequence', 1);
    // The hidden column at the end is no step: there is nothing behind the last one in sight.
    change.move('name', 1);
    change.reset();
    expect(kept).toEqual([
      { order, hidden: ['phone', 'note'], widths: { name: 70 } },
      { order, hidden: [], widths: { name: 70 } },
      { order, hidden: ['note'], widths: { name: 70, phone: 100 } },
      { order: ['phone', 'sequence', 'name', 'note'], hidden: ['note'], widths: { name: 70 } },
      { order, hidden: ['note'], widths: { name: 70 } },
      { order: [], hidden: [], widths: {} },
    ]);
  });

  it('never hide the last one', () => {
    const kept: unknown[] = [];
    columnChanges(columnsOf({ list: list({ name: 'name' }), fields }), undefined, (one) => kept.push(one)).toggle(
      'name',
    );
    expect(kept).toEqual([]);
  });
});

describe('widths', () => {
  const typed = (field: ArchField, width: number): Column => ({
    ...{ name: field.name, label: '', node: { name: field.name }, field, widget: widgetOf(field) },
    ...{ isEnd: false, canHide: false, isHidden: false, width, isSized: false },
  });
  const column = (width: number, isSized = false): Column => ({ ...typed(archField('n', 'integer'), width), isSized });

  it('shares the room among columns that nobody sized', () => {
    expect(fitWidths([column(100), column(200), column(150, true)], 750)).toEqual([200, 400, 150]);
  });

  it('never squeezes numbers: the table scrolls instead', () => {
    expect(fitWidths([column(100), column(200)], 100)).toEqual([100, 200]);
  });

  it('SCN-32 gives what is left to names and texts, and nothing to numbers', () => {
    const text = typed(archField('name', 'char'), 100);
    expect(fitWidths([text, column(80), text], 480)).toEqual([200, 80, 200]);
  });

  it('SCN-32 has room for the longest word of a state', () => {
    const selection: Selection = [
      ['draft', 'Angebot'],
      ['sent', 'Angebot gesendet'],
    ];
    const state = typed(archField('state', 'selection', { selection }), 130);
    const widthOf = (of: Column) => sizedByContent([of], { model: 'm', records: [] })[0]?.width;
    expect(widthOf(state)).toBe(161);
    expect(widthOf({ ...state, isSized: true })).toBe(130);
    expect(widthOf({ ...state, widget: { ...state.widget, isDirect: true } })).toBe(130);
  });

  it('SCN-32 cuts no badge, whatever type its field has, and no short name in the first column', () => {
    const field = archField('kind', 'char');
    const plain = typed(field, 130);
    const kind = { ...plain, widget: { ...plain.widget, isWhole: true } };
    const records = [{ id: 1, kind: 'a kind of view with a long name' }];
    const badge = sizedByContent([kind], { model: 'm', records })[0] as Column;
    expect(badge.width).toBeGreaterThan(230);
    const text = (width: number, whole: number) => ({ ...typed(archField('name', 'char'), width), whole });
    const [number, other, shown] = fitWidths([text(100, 100), text(200, 200), badge], 400);
    expect([number, shown]).toEqual([100, badge.width]);
    expect(other).toBeLessThan(200);
    expect(fitWidths([text(300, 300), text(200, 200)], 300)[0]).toBeLessThan(300);
  });

  it('SCN-80 gives what is left first to columns whose texts are cut, until they are whole', () => {
    const text = (width: number, whole: number) => ({ ...typed(archField('name', 'char'), width), whole });
    const columns = [text(100, 100), text(100, 120), text(100, 180), column(100)];
    expect(fitWidths(columns, 400)).toEqual([100, 100, 100, 100]);
    expect(fitWidths(columns, 430)).toEqual([100, 115, 115, 100]);
    expect(fitWidths(columns, 460)).toEqual([100, 120, 140, 100]);
    expect(fitWidths(columns, 500)).toEqual([100, 120, 180, 100]);
    expect(fitWidths(columns, 540)).toEqual([110, 132, 198, 100]);
    // A width that a person chose stays, and is not added to.
    expect(fitWidths([{ ...text(100, 300), isSized: true }, text(100, 150)], 300)).toEqual([100, 200]);
  });

  it('SCN-80 knows what texts need by their letters: all of the short ones, nine of ten of the long ones', () => {
    const names = [...Array.from({ length: 19 }, () => 'Lyon'), 'Buenos Aires'];
    const long = [...Array.from({ length: 19 }, () => 'Lyon'), 'A city of which one speaks for long'];
    const recordsOf = (all: readonly string[]) => all.map((name, at) => ({ id: at, name, user: name }));
    const sizedOf = (of: Column, given = names) => {
      const [, found] = sizedByContent([of, of], { model: 'm', records: recordsOf(given) });
      return [found?.width, found?.whole];
    };
    const city = typed(archField('name', 'char'), 160);
    expect(sizedOf(city)).toEqual([111, 111]);
    expect(sizedOf(city, ['illicit little'])).toEqual([91, 91]);
    expect(sizedOf(city, long)).toEqual([140, 249]);
    expect(sizedOf({ ...city, isSized: true })).toEqual([160, undefined]);
    const of = (relation: string) => typed(archField('user', 'many2one', { relation }), 160);
    expect(sizedOf(of('core.partner'))).toEqual([111, 111]);
    expect(sizedOf(of('core.user'))).toEqual([139, 139]);
  });

  it('SCN-90 cuts no name where the list scrolls sideways all the same, wherever its column stands', () => {
    const text = (width: number) => typed(archField('partner_id', 'many2one'), width);
    expect(fitWidths([text(200), text(100), text(200), column(100)], 100)).toEqual([200, 60, 116, 100]);
    const name = { ...text(200), isMain: true };
    expect(fitWidths([text(200), name, column(100)], 460)).toEqual([160, 200, 100]);
    expect(fitWidths([text(200), name, column(100)], 100)).toEqual([116, 200, 100]);
  });

  it('lets names and texts give way first, but not until nothing can be read', () => {
    const text = (width: number) => typed(archField('partner_id', 'many2one'), width);
    const columns = [text(200), text(100), text(200), column(100)];
    expect(fitWidths(columns, 540)).toEqual([200, 100, 140, 100]);
    expect(fitWidths([...columns, text(180)], 700)).toEqual([200, 100, 150, 100, 150]);
    expect(fitWidths(columns, 465)).toEqual([191, 60, 116, 100]);
    expect(fitWidths(columns, 390)).toEqual([116, 60, 116, 100]);
    const [first, ...others] = columns as [Column, ...Column[]];
    expect(fitWidths([{ ...first, label: 'Zwischensumme, netto' }, ...others], 390)).toEqual([176, 60, 116, 100]);
    // What a head needs beyond its values is taken from the texts, not from the edge of the table.
    const counted = { ...column(100), label: 'Failures in a row' };
    const fitted = fitWidths([text(300), text(200), counted], 560);
    expect(fitted.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(560);
  });
});

describe('groups', () => {
  const outer = [
    { stage: 'a', __count: 3, __domain: [] },
    { stage: 'b', __count: 1, __domain: [] },
  ];
  const inner = [{ user: 7, __count: 3, __domain: [] }];
  const never = { key: '', ask: () => new Promise<never>(() => {}) };
  const tree = (open: string[], level: GroupLevel | null = null, ids: readonly number[] = []): GroupTree => {
    const levels = createPages<GroupLevel>({ pageSize: 1 });
    const records = createPages<number>({ pageSize: 80 });
    levels.setQuestion('/"a"', never);
    levels.put('/"a"', 0, level ? [level] : [], 1);
    records.setQuestion('/"a"/7', never);
    records.put('/"a"/7', 0, ids, 3);
    return { open: new Set(open), levels, records };
  };

  const kinds = (given: GroupTree) => {
    const { count, at } = rowsOf(rowRanges(outer, ['stage', 'user'], given), {});
    return Array.from({ length: count }, (_, index) => at(index).kind);
  };

  it('are closed at first', () => {
    expect(kinds(tree([]))).toEqual(['group', 'group']);
  });

  it('show that their content is on the way, then the content', () => {
    expect(kinds(tree(['/"a"']))).toEqual(['group', 'wait', 'group']);
    const level = { groups: inner };
    const open = tree(['/"a"', '/"a"/7'], level, [1, 2]);
    expect(kinds(open)).toEqual(['group', 'group', 'record', 'record', 'wait', 'group']);
    const rows = rowsOf(rowRanges(outer, ['stage', 'user'], open), {});
    expect([rows.ids, rows.indexOf(2), rows.indexOf(9)]).toEqual([[1, 2], 3, -1]);
    expect(rows.groups.map(({ isOpen, isWaiting }) => [isOpen, isWaiting])).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
    expect(groupAt(outer, ['stage', 'user'], tree([], level), '/"a"/7')).toEqual({ row: inner[0], depth: 1 });
    expect(groupAt(outer, ['stage', 'user'], tree([], level), '/"c"')).toBeNull();
  });
});

describe('an order of one’s own', () => {
  it('changes as few numbers as it can', () => {
    const numbers = new Map([
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
    ]);
    expect([...renumber([1, 2, 3, 4], numbers, 3, 2)]).toEqual([[3, 11]]);
  });

  it('rises even where all numbers were the same', () => {
    const numbers = new Map([
      [1, 10],
      [2, 10],
      [3, 10],
    ]);
    expect([...renumber([1, 2, 3], numbers, 3, 1)]).toEqual([
      [1, 11],
      [2, 12],
    ]);
  });

  it('does nothing at the end of the list', () => {
    expect(
      renumber(
        [1, 2],
        new Map([
          [1, 1],
          [2, 2],
        ]),
        2,
        null,
      ).size,
    ).toBe(0);
  });
});
