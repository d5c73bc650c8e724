import { describe, expect, it } from 'vitest';
import { expiryOf, scopeOf } from '../commands/new-api-key/scope-fields.tsx';
import { type Group, groupsByApp, shortName, withImplied } from '../fields/groups/edit.tsx';

function group(id: number, key: string, name: string, implied: readonly number[] = []): Group {
  return { id, key, name, comment: null, implied_ids: implied };
}

const groups = [
  group(1, 'base.group_user', 'User'),
  group(2, 'base.group_system', 'Administrator', [1]),
  group(3, 'base.group_portal', 'Portal'),
  group(4, 'sale.group_manager', 'Sales: Manager', [6, 1]),
  group(5, 'sale.group_own', 'Sales: own orders', [1]),
  group(6, 'sale.group_all', 'Sales: all orders', [5]),
  group(7, 'note.group_one', 'Note taker'),
];

describe('SCN-1 groups by app', () => {
  const apps = groupsByApp(groups, new Map([['sale', 'Sales']]), 'Role');

  it('are levels from the least to the most where they stand on each other', () => {
    expect(apps.map(({ label, levels }) => [label, levels.map(shortName)])).toEqual([
      ['Role', ['User', 'Administrator']],
      ['note', []],
      ['Sales', ['Own orders', 'All orders', 'Manager']],
    ]);
    expect(apps.map(({ others }) => others.map(shortName))).toEqual([['Portal'], ['Note taker'], []]);
  });

  it('come with what they imply, in circles too', () => {
    expect([...withImplied(new Set([4]), groups)].sort()).toEqual([1, 4, 5, 6]);
    const circle = [group(1, 'a.one', 'One', [2]), group(2, 'a.two', 'Two', [1])];
    expect([...withImplied(new Set([1]), circle)]).toEqual([1, 2]);
    expect(groupsByApp(circle, new Map(), 'Role')[0]?.levels).toHaveLength(2);
  });
});

describe('SCN-2 the scope and end of a key', () => {
  it('is empty for everything, and names methods otherwise', () => {
    expect(scopeOf('all', [])).toBe('');
    expect(Object.keys(JSON.parse(scopeOf('read', [])))).toEqual(['*']);
    expect(JSON.parse(scopeOf('read', []))['*']).not.toContain('write');
    const some = JSON.parse(
      scopeOf('some', [
        { model: ' sale.order ', canChange: true },
        { model: '', canChange: true },
        { model: 'crm.lead', canChange: false },
      ]),
    );
    expect(Object.keys(some)).toEqual(['sale.order', 'crm.lead']);
    expect(some['sale.order']).toContain('write');
    expect(some['crm.lead']).not.toContain('write');
  });

  it('ends at the end of its last day, after some days, or never', () => {
    const now = new Date('2026-11-15T10:00:00Z');
    expect(expiryOf('never', '', now)).toBe('');
    expect(expiryOf('day', '2026-12-01', now)).toBe('2026-12-01T23:59:59.000Z');
    expect(expiryOf('month', '', now)).toBe('2026-12-15T10:00:00.000Z');
  });
});
