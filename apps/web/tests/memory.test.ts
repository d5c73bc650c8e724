import type { WorkspacePayload } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { watchReads } from '../data/record-parts.ts';
import { forget, patch, recall, remember } from '../data/records.ts';
import { assembleForm, cachePayload, entryOf, expireModel } from '../data/workspace-cache.ts';
import { keepEqual } from '../state/keep-equal.ts';
import { createRegistry } from '../state/registry.ts';
import { createStore } from '../state/store.ts';

describe('a registry', () => {
  it('answers an unknown name with the names that exist', () => {
    const registry = createRegistry<number>('view');
    registry.add('list', 1);
    registry.add('form', 2);
    expect(() => registry.get('lst')).toThrow('There is no view "lst". There are: form, list.');
    expect(() => registry.add('list', 3)).toThrow('two views named "list"');
  });
});

describe('a store', () => {
  it('tells those who watch, and only of changes', () => {
    const store = createStore(1);
    let calls = 0;
    const stop = store.subscribe(() => calls++);
    store.set(1);
    store.set((now) => now + 1);
    stop();
    store.set(3);
    expect([calls, store.get()]).toEqual([1, 3]);
  });
});

describe('records in memory', () => {
  it('are put together from what every view knows', () => {
    remember('m.a', [{ id: 1, name: 'A', city: 'Bergen' }]);
    remember('m.a', [{ id: 1, name: 'B' }]);
    expect(recall('m.a', 1)).toEqual({ id: 1, name: 'B', city: 'Bergen' });
  });

  it('show what was changed until the server has said its word', () => {
    remember('m.b', [{ id: 1, name: 'A' }]);
    const first = patch('m.b', [1], { name: 'B' });
    const second = patch('m.b', [1], { name: 'C' });
    remember('m.b', [{ id: 1, name: 'theirs' }]);
    expect(recall('m.b', 1)?.name).toBe('C');
    first();
    expect(recall('m.b', 1)?.name).toBe('C');
    second();
    expect(recall('m.b', 1)?.name).toBe('theirs');
    forget('m.b', [1]);
    expect(recall('m.b', 1)).toBeUndefined();
  });
});

describe('SCN-66 what is as it was', () => {
  it('is the same object, part by part', () => {
    const before = { a: [1, { b: 2 }], c: { d: 0 }, file: new Map() };
    const next = keepEqual(before, { a: [1, { b: 2 }], c: { d: 3 }, file: new Map() });
    expect(next).toEqual({ a: [1, { b: 2 }], c: { d: 3 }, file: new Map() });
    expect([next.a === before.a, next.c === before.c, next.file === before.file]).toEqual([true, false, false]);
    expect(keepEqual(before.a, [1, { b: 2 }, 4])).toEqual([1, { b: 2 }, 4]);
    expect(keepEqual({ x: undefined }, { y: undefined })).toEqual({ y: undefined });
    expect(keepEqual([], {})).toEqual({});
  });

  it('of a record counts as far as it was read', () => {
    const part = watchReads({ id: 1, name: 'A', city: 'Bergen' });
    expect([part.record.name, 'note' in part.record]).toEqual(['A', false]);
    expect(part.takes({ id: 1, name: 'A', city: 'Oslo' })).toBe(true);
    expect(part.record.city).toBe('Oslo');
    expect(part.takes({ id: 1, name: 'A', city: 'Bergen' })).toBe(false);
    expect(part.takes({ id: 1, name: 'A', city: 'Oslo', note: '' })).toBe(false);
    const whole = watchReads({ id: 1, name: 'A' });
    expect({ ...whole.record }).toEqual({ id: 1, name: 'A' });
    expect(whole.takes({ id: 1, name: 'A' })).toBe(false);
  });

  it('of a record is told to nobody', () => {
    remember('m.s', [{ id: 1, name: 'A', tags: [{ id: 4 }] }]);
    const seen = recall('m.s', 1);
    remember('m.s', [{ id: 1, name: 'A', tags: [{ id: 4 }] }]);
    expect(recall('m.s', 1)).toBe(seen);
    const unpatch = patch('m.s', [1], { name: 'B' });
    const shown = recall('m.s', 1);
    remember('m.s', [{ id: 1, name: 'B' }]);
    unpatch();
    expect(recall('m.s', 1)).toBe(shown);
  });
});

describe('workspaces in memory', () => {
  const form = (recordId: number, more: object = {}) =>
    ({
      actionId: 5,
      model: 'm.c',
      viewType: 'form',
      recordId,
      records: [{ id: recordId, display_name: 'A', note: 'x' }],
      breadcrumbs: [{ label: 'All', href: '/web' }, { label: 'A' }],
      arch: { fields: [], pager: { position: 1, total: 2, previous: null, next: 2 } },
      ...more,
    }) as unknown as WorkspacePayload;

  it('open a form from its arch and a record that a list has shown', () => {
    expect(assembleForm('5', '', 2)).toBeNull();
    cachePayload('action=5&view_type=form&id=1', form(1));
    expect(assembleForm('5', '', 2)).toBeNull();
    remember('m.c', [{ id: 2, display_name: 'B' }]);
    const made = assembleForm('5', '', 2);
    expect(made?.records).toEqual([{ id: 2, display_name: 'B' }]);
    expect(made?.breadcrumbs.at(-1)).toEqual({ label: 'B' });
    expect(made?.arch.pager).toBeUndefined();
  });

  it('SCN-66 are others with every answer, of the same parts', () => {
    cachePayload('action=8', form(3));
    const before = entryOf('action=8').get().payload;
    cachePayload('action=8', form(3));
    const after = entryOf('action=8').get().payload;
    expect([after === before, after?.arch === before?.arch, after?.records === before?.records]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('are asked for again when their model changed', () => {
    cachePayload('action=6', { ...form(1), viewType: 'list' });
    expect(entryOf('action=6').get().loadedAt).toBeGreaterThan(0);
    expireModel('m.c');
    expect(entryOf('action=6').get()).toMatchObject({ loadedAt: 0, payload: { model: 'm.c' } });
  });

  it('BRD-10 of a board the tiles of that model are old, and all of it when the board itself changed', () => {
    const fields: readonly object[] = [];
    const tile = (id: number, model: string) => ({ id, screen: { model, arch: { fields } } });
    const board = { tiles: [tile(1, 'm.d'), tile(2, 'm.e'), tile(3, 'm.d')] };
    const load = () => cachePayload('id=7', form(7, { model: 'sys.board', arch: { fields, board } }));
    const expired = (...models: string[]) => {
      expireModel(...models);
      const { loadedAt, oldTiles } = entryOf('id=7').get();
      return loadedAt > 0 ? 'fresh' : oldTiles;
    };
    load();
    expect(expired('m.f')).toBe('fresh');
    expect(expired('m.d')).toEqual([1, 3]);
    expect(expired('m.e')).toEqual([1, 3, 2]);
    expect(expired('sys.board')).toBeNull();
    // What is old as a whole stays so until it is loaded.
    expect(expired('m.d')).toBeNull();
    load();
    expect(expired('m.d', 'sys.board.tile')).toBeNull();
  });
});
