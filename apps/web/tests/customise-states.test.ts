import { describe, expect, it } from 'vitest';
import { layOut } from '../workspace/customise/states/layout.ts';
import { removeState, startEdit, stateChanges, withOwn } from '../workspace/customise/states/states-edit.ts';

const state = (value: string, more: object = {}) => ({
  ...{ value, label: value, look: null, isOwn: true, isRemovable: true, isAbandoned: false, locks: [], count: 0 },
  ...{ isInitial: value === 'free', ...more },
});
const move = (name: string, from: readonly string[], to: string) => ({
  ...{ name, label: name, from, to, needs: [], sets: [], groups: [] },
  ...{ isDanger: false, isOwn: true, does: false },
});
const states = [state('sold', { isAbandoned: true }), state('out'), state('free'), state('lost')];
const moves = [
  move('x_rent', ['free'], 'out'),
  move('x_back', ['out'], 'free'),
  move('x_sell', ['free', 'out'], 'sold'),
];
const data = {
  ...{ base: 0, draft: 0, model: 'x_machine', label: 'Machine', isAdded: true, conditions: [], fields: [] },
  field: { name: 'x_state', label: 'State', isOwn: true },
  ...{ states, moves, own: null, checks: [], problems: [] },
};

describe('CUS-55 the picture of states', () => {
  it('shows them in the order in which records reach them, apart from each other, with an arrow from each start', () => {
    const picture = layOut(states, moves);
    const at = Object.fromEntries(picture.states.map(({ value, x, y }) => [value, [x, y]]));
    expect(at.out?.[0]).toBeGreaterThan(at.free?.[0] ?? 0);
    expect(at.sold?.[1]).toBeGreaterThan(at.free?.[1] ?? 0);
    expect(picture.arrows.map(({ key }) => key)).toEqual(['x_rent free', 'x_back out', 'x_sell free', 'x_sell out']);
    // No two labels are at the same height.
    expect(new Set(picture.arrows.map(({ y }) => y)).size).toBe(picture.arrows.length);
    const placed = layOut(states, moves, [{ state: 'lost', x: 700, y: 300 }]);
    expect(placed.states.find(({ value }) => value === 'lost')).toEqual({ value: 'lost', x: 700, y: 300 });
  });

  it('is edited without what it does not have: a deleted state takes its moves along', () => {
    const first = startEdit(data);
    expect(first.own).toEqual({ initial: ['sold'] });
    const begun = withOwn(first, { initial: ['free'], removable: [] });
    expect(begun.own).toEqual({ initial: ['free'] });
    const moved = withOwn(begun, { moves: [{ name: 'x_rent', from: ['free'], to: 'out', label: 'Rent out' }] });
    const left = removeState(moved, 'out');
    expect(left.own.moves).toBeUndefined();
    expect(stateChanges(left, data)).toMatchObject([
      { do: 'change_field', name: 'x_state' },
      { do: 'change_states', states: { field: 'x_state', initial: ['free'] } },
    ]);
  });
});
