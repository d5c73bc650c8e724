import type { Arch, WorkspacePayload } from '@kontor/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { changedValues, missingFields, seenValues } from '../data/form/changed-values.ts';
import { createForm, freshState, isDirty, valueIn, withEdit } from '../data/form/form-state.ts';
import { remainingLines, toCommands, withCommands } from '../data/form/line-commands.ts';
import {
  addLine,
  changeLine,
  chooseRecords,
  enterInLine,
  noLinesEdit,
  removeLine,
  shownLines,
  withoutBlankLines,
} from '../data/form/lines.ts';
import { adoptRecord, settleConflicts } from '../data/form/merge-theirs.ts';
import { moveLine, orderedLines } from '../views/form/grid/use-lines.ts';
import { parseCell, parseTable } from '../views/table/paste.ts';
import { archField as field } from './arch-field.ts';
import { testBootstrap } from './bootstrap.ts';

const stored = [
  { id: 1, name: 'Rope', qty: 2, 'uom_id.display_name': 'm' },
  { id: 2, name: 'Cleat', qty: 4 },
];

function workspace(record: { id: number } & Record<string, unknown>): WorkspacePayload {
  const fields = [
    field('name', 'char', { required: true }),
    field('note', 'text'),
    field('total', 'monetary', { readonly: true }),
    field('line_ids', 'one2many'),
  ];
  const form = {
    stats: [],
    children: [
      { kind: 'field', name: 'name' },
      { kind: 'field', name: 'note', required: [['name', '=', 'Long']] },
      {
        kind: 'field',
        name: 'line_ids',
        list: { columns: [{ name: 'name' }], create: true, delete: true, buttons: [] },
        fields: [
          field('name', 'char', { required: true }),
          field('qty', 'float'),
          field('sum', 'float', { readonly: true }),
        ],
      },
    ],
    create: true,
    edit: true,
    delete: true,
    duplicate: true,
    chatter: false,
  };
  const arch = { type: 'form', fields, form, header: { buttons: [] } } as unknown as Arch;
  return { model: 'x.order', recordId: record.id, records: record.id ? [record] : [], defaults: {}, arch } as never;
}

beforeAll(() => void testBootstrap());

describe('the lines of a record', () => {
  it('become one command each, with what the person saw', () => {
    let edit = changeLine(noLinesEdit, 1, { qty: 3, 'uom_id.display_name': 'm' });
    edit = removeLine(edit, 2);
    edit = addLine(edit, { name: 'Fender', qty: 1 });
    expect(toCommands(edit, stored, { isOwned: true })).toEqual([
      ['delete', 2],
      ['update', 1, { qty: 3 }, { qty: 2 }],
      ['create', { name: 'Fender', qty: 1 }],
    ]);
    expect(toCommands(edit, stored, { isOwned: false })[0]).toEqual(['unlink', 2]);
  });

  it('give the same objects for lines that nobody touched', () => {
    const before = shownLines(stored, changeLine(noLinesEdit, 1, { qty: 3 }));
    expect(before[1]?.values).toBe(stored[1]);
    expect(shownLines(stored, noLinesEdit)).toBe(shownLines(stored, noLinesEdit));
  });

  it('are tags when whole records are chosen', () => {
    const edit = chooseRecords(stored, [{ id: 2 }, { id: 9, display_name: 'New' }]);
    expect(toCommands(edit, stored, { isOwned: false })).toEqual([
      ['unlink', 1],
      ['link', 9],
    ]);
  });

  it('take over what an onchange says of the nth new line', () => {
    const edit = addLine(addLine(noLinesEdit, { qty: 1 }), { qty: 2 });
    const after = withCommands(edit, stored, [
      ['create', { price: 5 }],
      ['create', { price: 6 }],
      ['update', 1, { price: 7 }],
    ]);
    expect(after.created.map((line) => line.values.price)).toEqual([5, 6]);
    expect(after.changed[1]).toEqual({ price: 7 });
  });

  it('hold the records of an answer, and not the name of another one', () => {
    const chosen = { tag_ids: [{ id: 4, display_name: 'Old' }], uom_id: 1, 'uom_id.display_name': 'm' };
    let edit = addLine(changeLine(noLinesEdit, 1, chosen), chosen, { key: -901 });
    edit = withCommands(edit, stored, [
      ['update', 1, { tag_ids: [['set', [5, 4]]], uom_id: 2 }],
      ['create', { tag_ids: [['set', []]], uom_id: 1 }],
    ]);
    expect(edit.changed[1]).toEqual({ tag_ids: [{ id: 4, display_name: 'Old' }, { id: 5 }], uom_id: 2 });
    expect(edit.created[0]?.values).toEqual({ id: -901, tag_ids: [], uom_id: 1, 'uom_id.display_name': 'm' });
    const links = [
      ['link', 4],
      ['link', 5],
    ];
    expect(toCommands(edit, stored, { isOwned: true })[0]?.[2]).toEqual({ tag_ids: links, uom_id: 2 });
  });

  it('keep what was typed while they were being saved', () => {
    const sent = addLine(noLinesEdit, { name: 'A' }, { key: -901 });
    const now = addLine(
      changeLine(changeLine(sent, -901, { name: 'AB' }), 1, { qty: 8 }),
      { name: 'C' },
      { key: -902 },
    );
    const rest = remainingLines(now, sent, stored, [...stored, { id: 17, name: 'A' }]);
    expect(toCommands(rest, [...stored, { id: 17, name: 'A' }], { isOwned: true })).toEqual([
      ['update', 1, { qty: 8 }, { qty: 2 }],
      ['update', 17, { name: 'AB' }, { name: 'A' }],
      ['create', { name: 'C' }],
    ]);
  });

  it('SCN-17 are blank until somebody enters something, whatever the server gave them first', () => {
    const opened = addLine(noLinesEdit, {}, { key: -901, isBlank: true });
    const filled = changeLine(opened, -901, { qty: 1 });
    expect(withoutBlankLines(filled).created).toEqual([]);
    expect(withoutBlankLines(enterInLine(filled, -901, { name: '' })).created).toEqual([]);
    expect(withoutBlankLines(enterInLine(filled, -901, { qty: null })).created).toHaveLength(1);
    expect(withoutBlankLines(enterInLine(filled, -901, { name: 'Rope' })).created).toHaveLength(1);
  });

  it('move by a number between their neighbours, or are numbered anew', () => {
    const spaced = shownLines(
      [1, 2, 3].map((id) => ({ id, seq: id * 10 })),
      noLinesEdit,
    );
    const edit = moveLine(noLinesEdit, spaced, { from: 2, to: 0, handle: 'seq' });
    expect(Object.keys(edit.changed)).toEqual(['3']);
    const tight = [1, 2, 3].map((id) => ({ id, seq: 10 }));
    const anew = moveLine(noLinesEdit, shownLines(tight, noLinesEdit), { from: 2, to: 0, handle: 'seq' });
    expect(orderedLines(shownLines(tight, anew), 'seq').map((line) => line.key)).toEqual([3, 1, 2]);
  });
});

describe('rows of a spreadsheet', () => {
  it('are parted at tabs and line ends, but not within quotes', () => {
    expect(parseTable('a\tb\r\n"two\nlines"\t"say ""hi"""\r\n')).toEqual([
      ['a', 'b'],
      ['two\nlines', 'say "hi"'],
    ]);
    expect(parseTable('7\n\n8')).toEqual([['7'], [''], ['8']]);
    expect(parseTable('"5 inch\tx\ny')).toEqual([['"5 inch', 'x'], ['y']]);
  });

  it('become values of the type of their column', () => {
    expect(parseCell(field('n', 'monetary'), '€ 1,234.50')).toBe(1234.5);
    expect(parseCell(field('n', 'integer'), '1.5')).toBeUndefined();
    expect(parseCell(field('d', 'date'), '14.11.2026')).toBe('2026-11-14');
    expect(parseCell(field('d', 'date'), '11/14/2026')).toBe('2026-11-14');
    expect(parseCell(field('d', 'date'), '14 Nov 2026')).toBe('2026-11-14');
    expect(parseCell(field('d', 'date'), '1.5')).toBeUndefined();
    expect(parseCell(field('b', 'boolean'), 'yes')).toBe(true);
    expect(parseCell(field('s', 'selection', { selection: [['a', 'Alpha']] }), 'alpha')).toBe('a');
  });

  it('TIM-1 have their times on the clock of the person', () => {
    testBootstrap({ user: { ...testBootstrap().user, tz: 'Europe/Berlin' } });
    expect(parseCell(field('t', 'datetime'), '2026-10-25 02:30')).toBe('2026-10-25T00:30:00.000Z');
    expect(parseCell(field('t', 'datetime'), '2026-07-01T09:30:00Z')).toBe('2026-07-01T09:30:00.000Z');
    expect(parseCell(field('t', 'datetime'), 'soon')).toBeUndefined();
    testBootstrap();
  });
});

describe('what a form saves', () => {
  const record = { id: 5, name: 'Order', note: null, total: 8, line_ids: stored };

  it('is only what changed, with what the person saw', () => {
    const open = workspace(record);
    let state = withEdit(freshState(open), 'note', 'Hello');
    state = withEdit(state, 'name', 'Order');
    state = { ...state, edits: { ...state.edits, total: 9, line_ids: changeLine(noLinesEdit, 1, { qty: 3, sum: 6 }) } };
    const values = changedValues(state, open.arch);
    expect(values).toEqual({ note: 'Hello', line_ids: [['update', 1, { qty: 3 }, { qty: 2 }]] });
    expect(seenValues(state, open.arch, Object.keys(values))).toEqual({ note: null, line_ids: [1, 2] });
  });

  it('is nothing once a value is back to what it was', () => {
    const state = withEdit(withEdit(freshState(workspace(record)), 'name', 'X'), 'name', 'Order');
    expect(isDirty(state)).toBe(false);
  });

  it('is refused before any call while something required is empty', () => {
    const open = workspace(record);
    const state = withEdit(freshState(open), 'name', null);
    expect(Object.keys(missingFields(state, open.arch))).toEqual(['name']);
    expect(Object.keys(missingFields(withEdit(freshState(open), 'name', 'Long'), open.arch))).toEqual(['note']);
    const lines = { ...freshState(open), edits: { line_ids: addLine(noLinesEdit, { qty: 1 }) } };
    expect(missingFields(lines, open.arch).line_ids?.[0]).toMatch(/^Line 3/);
  });

  it('keeps the hands of two people apart until one of them chooses', () => {
    const form = createForm(workspace(record));
    form.set((now) => withEdit(now, 'name', 'Mine'));
    adoptRecord(form, { ...record, name: 'Theirs', note: 'Their note' });
    expect(form.get().stored.note).toBe('Their note');
    expect(form.get().stored.name).toBe('Order');
    expect(form.get().theirs?.name).toBe('Theirs');
    form.set((now) => ({ ...now, conflicts: { name: { base: 'Order', mine: 'Mine', theirs: 'Theirs' } } }));
    settleConflicts(form, new Set(['name']));
    expect(form.get().stored.name).toBe('Theirs');
    expect(valueIn(form.get(), 'name')).toBe('Mine');
  });
});
