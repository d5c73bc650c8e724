import { beforeAll, describe, expect, it } from 'vitest';
import { invalidMessage, typedText, unmatchedName } from '../data/form/invalid-values.ts';
import type { FieldWidget } from '../fields/define-field.ts';
import { durationField } from '../fields/duration.tsx';
import { monetaryField, percentageField } from '../fields/number.tsx';
import { tagsText } from '../fields/tags.tsx';
import { takesInput } from '../views/table/cell-control.tsx';
import { type Column, columnsOf } from '../views/table/columns.ts';
import { cellAfterKey, isTable, nextCell } from '../views/table/keys.ts';
import {
  needsChoice,
  type PastedTable,
  parseTable,
  planPaste,
  proposedColumns,
  readTable,
} from '../views/table/paste.ts';
import { archField } from './arch-field.ts';
import { testBootstrap } from './bootstrap.ts';

const fields = [
  archField('name', 'char'),
  archField('partner_id', 'many2one', { relation: 'core.partner' }),
  archField('quantity', 'integer'),
  archField('total', 'float', { readonly: true }),
  archField('note', 'char'),
];
const list = { columns: fields.map(({ name }) => ({ name })), create: true, delete: true, buttons: [] };
const columns = columnsOf({ list, fields });
const columnOf = (name: string) => columns.find((one) => one.name === name) as Column;

const Control = () => null;

beforeAll(() => void testBootstrap());

describe('keys in a table', () => {
  const size = { rows: 100, columns: 4 };
  const after = (key: string, row: number, column: number, isJump = false) => {
    const place = cellAfterKey({ key, isJump, page: 20 }, { row, column }, size);
    return place && [place.row, place.column];
  };

  it('lead from cell to cell, and never out of the table', () => {
    expect([after('ArrowDown', 5, 2), after('ArrowUp', 5, 2)]).toEqual([
      [6, 2],
      [4, 2],
    ]);
    expect([after('ArrowDown', 99, 2), after('ArrowUp', 0, 2)]).toEqual([
      [99, 2],
      [0, 2],
    ]);
    expect([after('ArrowRight', 5, 3), after('ArrowLeft', 5, 0), after('ArrowRight', 5, 0)]).toEqual([
      [5, 3],
      [5, 0],
      [5, 1],
    ]);
  });

  it('lead by pages, to the ends of a row and, with Ctrl, of the table', () => {
    expect([after('PageDown', 5, 1), after('PageDown', 95, 1), after('PageUp', 5, 1)]).toEqual([
      [25, 1],
      [99, 1],
      [0, 1],
    ]);
    expect([after('Home', 5, 2), after('End', 5, 2), after('Home', 5, 2, true), after('End', 5, 2, true)]).toEqual([
      [5, 0],
      [5, 3],
      [0, 0],
      [99, 3],
    ]);
    expect(after('x', 5, 2)).toBeNull();
  });

  it('Tab goes on to the next cell that can be entered, over the ends of rows, and out after the last', () => {
    const open = new Set(['0,1', '0,3', '2,0']);
    const next = (row: number, column: number, step: 1 | -1) => {
      const place = nextCell({ row, column }, step, { rows: 3, columns: 4 }, (to) =>
        open.has(`${to.row},${to.column}`),
      );
      return place && [place.row, place.column];
    };
    expect([next(0, 0, 1), next(0, 1, 1), next(0, 3, 1), next(2, 0, 1)]).toEqual([[0, 1], [0, 3], [2, 0], null]);
    expect([next(2, 3, -1), next(2, 0, -1), next(0, 1, -1)]).toEqual([[2, 0], [0, 3], null]);
    expect(nextCell({ row: -1, column: 0 }, 1, { rows: 0, columns: 4 }, () => true)).toBeNull();
  });
});

describe('input into a cell', () => {
  it('is taken where field, widget and the view’s condition allow it', () => {
    const record = { id: 1, quantity: 3 };
    const drawn = columnOf('name');
    const name = { ...drawn, widget: { ...drawn.widget, Edit: Control } };
    expect(takesInput(name, record)).toBe(true);
    expect(takesInput({ ...name, widget: { ...name.widget, Edit: null } }, record)).toBe(false);
    expect(takesInput({ ...name, field: { ...name.field, readonly: true } }, record)).toBe(false);
    const closed = { ...name, node: { name: 'name', readonly: [['quantity', '>', 2]] as const } };
    expect([takesInput(closed, record), takesInput(closed, { id: 1, quantity: 2 })]).toEqual([false, true]);
  });
});

describe('pasted rows', () => {
  const names = new Map([['partner_id', new Map([['ada', { id: 7, name: 'Ada' }]])]]);
  const plan = (text: string, canChange: readonly boolean[] = []) =>
    planPaste(parseTable(text), { columns, canChange }, names);

  it('are told from a text for one cell', () => {
    expect(['one', 'one\n', 'a\tb', 'a\nb', 'a\r\nb\r\n'].map(isTable)).toEqual([false, false, true, true, true]);
  });

  it('become values of the columns that they lie over; what nobody may write and what is too much is left out', () => {
    expect(plan('Frame\tADA\t3\t99\tnew\tmuch\nGlass')).toEqual({
      rows: [
        { name: 'Frame', partner_id: 7, 'partner_id.display_name': 'Ada', quantity: 3, note: 'new' },
        { name: 'Glass' },
      ],
      unread: [0, 0, 0, 0, 0],
    });
  });

  it('BLK-3 empty a cell with an empty one, and keep what means nothing as it is written, marked', () => {
    const { rows, unread } = plan('Frame\t\t3 kg');
    expect([rows, unread]).toEqual([
      [{ name: 'Frame', partner_id: null, 'partner_id.display_name': null, quantity: '3 kg' }],
      [0, 0, 1, 0, 0],
    ]);
    const [row] = plan('Frame\tNobody').rows;
    expect(typedText(row?.partner_id)).toBe('Nobody');
    const messages = fields.map((field) => invalidMessage(field, { ...rows[0], ...row }[field.name]));
    expect(messages).toEqual([
      null,
      expect.stringContaining('“Nobody” was not found'),
      'Enter a whole number.',
      null,
      null,
    ]);
  });

  it('TYP-1 TYP-3 are read as their widget reads what is typed', () => {
    const column = (widget: FieldWidget, type = 'decimal'): Column => ({
      ...columnOf('quantity'),
      ...{ widget, field: archField('amount', type) },
    });
    const read = (text: string, one: Column) =>
      planPaste([[text]], { columns: [one], canChange: [] }, names).rows[0]?.quantity;
    for (const lang of ['en_US', 'de_DE']) {
      testBootstrap({ lang });
      const hours = column(durationField);
      expect(['1:30', '1h30', '90m', '7,5', '0.25'].map((text) => read(text, hours))).toEqual([
        1.5, 1.5, 1.5, 7.5, 0.25,
      ]);
      expect(['27.5 %', '27,5'].map((text) => read(text, column(percentageField)))).toEqual([0.275, 0.275]);
      const money = column(monetaryField, 'monetary');
      expect(['249,90 €', '3.5', 'AB12', '1h30', '5k'].map((text) => read(text, money))).toEqual([
        ...[249.9, 3.5, 'AB12', '1h30', '5k'],
      ]);
    }
    testBootstrap();
    const money = column(monetaryField, 'monetary');
    expect(typedText(read('1.234', money))).toBe('1.234');
    expect(invalidMessage(money.field, read('1.234', money))).toBe('1.234 could be 1,234 or 1.234.');
  });

  it('TYP-5 keep names of a list that no record has, marked, beside those that are known', () => {
    const field = archField('tag_ids', 'many2many', { relation: 'crm.tag' });
    const tags: Column = { ...columnOf('note'), ...{ name: 'tag_ids', field } };
    const known = new Map([['tag_ids', new Map([['red', { id: 4, name: 'Red' }]])]]);
    const { rows, unread } = planPaste([['Red, Wakanda']], { columns: [tags], canChange: [] }, known);
    const value = rows[0]?.tag_ids;
    expect(value).toMatchObject([{ id: 4, display_name: 'Red' }, {}]);
    expect([unread, unmatchedName(value)]).toEqual([[1], 'Wakanda']);
    expect(invalidMessage(field, value)).toContain('“Wakanda” was not found');
    expect(tagsText({ value } as never)).toBe('Red, Wakanda');
  });

  it('leave rows alone that may not be changed, and are new after the last', () => {
    const { rows, unread } = plan('a\nb\tADA\nc', [true, false]);
    expect([rows, unread]).toEqual([
      [{ name: 'a' }, null, { name: 'c' }],
      [1, 1, 0, 0, 0],
    ]);
  });

  it('BLK-3 go by the names of a header, wherever the active cell is, and are asked about where a name is unknown', () => {
    const at = (table: PastedTable) => table.columns.map((column) => column?.name ?? null);
    const headed = readTable('Quantity\tNAME\n3\tFrame\n', columns, 4);
    expect([at(headed), headed.cells]).toEqual([['quantity', 'name'], [['3', 'Frame']]]);
    expect(needsChoice(headed, planPaste(headed.cells, { ...headed, canChange: [] }, names))).toBe(false);
    const partly = readTable('Quantity\tname\tShelf\n3\tFrame\tB4\n', columns, 0);
    expect(at(partly)).toEqual(['quantity', 'name', null]);
    expect(needsChoice(partly, planPaste(partly.cells, { ...partly, canChange: [] }, names))).toBe(true);
    const plain = readTable('3\tFrame\n4\tGlass', columns, 2);
    expect([at(plain), plain.headers]).toEqual([['quantity', 'total'], null]);
    const shifted = readTable('Frame\tAda\tmany\nGlass\tAda\tfew', columns, 0);
    expect(needsChoice(shifted, planPaste(shifted.cells, { ...shifted, canChange: [] }, names))).toBe(true);
    const bare = readTable('Frame\tAda\t3\t\t8\nGlass\tAda\t4\t\t9', columns, 0);
    const read = planPaste(bare.cells, { ...bare, canChange: [] }, names);
    expect(needsChoice(bare, read)).toBe(true);
    const names3 = readTable('Frame\t3', [columnOf('name'), columnOf('note'), columnOf('quantity')], 0);
    const proposed = proposedColumns(names3, planPaste(names3.cells, { ...names3, canChange: [] }, names), columns);
    expect(proposed.map((column) => column?.name)).toEqual(['name', 'quantity']);
    expect(at(readTable('Name\nFrame', columns, 1))).toEqual(['name']);
    expect(at(readTable('Name\tFrame', columns, 0))).toEqual(['name', 'partner_id']);
  });
});
