import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layOut } from '../workspace/customise/states/layout.ts';
import { addMove, removeState, startEdit, stateChanges, withOwn } from '../workspace/customise/states/states-edit.ts';
import { openTestApp, type TestApp } from './browser.ts';

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
    const { edit, name } = addMove(begun, 'free', 'out');
    expect(edit.own.moves).toMatchObject([{ name, from: ['free'], to: 'out' }]);
    const left = removeState(edit, 'out');
    expect(left.own.moves).toBeUndefined();
    expect(stateChanges(left, data)).toMatchObject([
      { do: 'change_field', name: 'x_state' },
      { do: 'change_states', states: { field: 'x_state', initial: ['free'] } },
    ]);
  });
});

describe('states and moves in the browser', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'] });
  });
  afterAll(() => app.close());

  it('CUS-55 an administrator draws states and moves of a model, with a condition, and its records follow them', async () => {
    const access = [{ group: 'base.group_system', write: true, create: true, unlink: true }];
    const changes = [
      { do: 'add_model', model: 'x_machine', spec: { label: 'Machine', plural: 'Machines', access } },
      { do: 'add_field', model: 'x_machine', name: 'x_due', field: { type: 'date', label: 'Due' } },
    ];
    const desk = await app.open({ path: '/web/settings/customise' });
    const { page } = desk;
    await page.evaluate(
      async (body) => {
        const { csrfToken } = (window as unknown as { __WC_BOOTSTRAP__: { csrfToken: string } }).__WC_BOOTSTRAP__;
        const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken };
        await fetch('/web/customise', { method: 'POST', headers, body });
      },
      JSON.stringify({ do: 'publish', base: 0, draft: 0, changes }),
    );
    await page.reload();
    await desk.click(page.getByRole('button', { name: 'States …' }));
    const editor = page.getByRole('dialog', { name: 'States and moves' });
    const field = (label: string) => editor.getByLabel(label, { exact: true });
    const addState = async (label: string) => {
      await desk.click(editor.getByRole('button', { name: 'State', exact: true }));
      await field('Label').fill(label);
      await editor.locator('.states-box', { hasText: label }).waitFor();
      await desk.idle();
    };
    await addState('Free');
    await addState('Rented out');
    await desk.click(editor.getByRole('button', { name: 'Move', exact: true }));
    await field('Label').fill('Rent out');
    await desk.click(editor.getByRole('button', { name: 'Remove Rented out' }));
    await field('From').selectOption({ label: 'Free' });
    await field('To').selectOption({ label: 'Rented out' });
    await desk.click(editor.getByRole('button', { name: 'Add a condition' }));
    await field('Formula').fill('not isempty(x_duu)');
    await editor.getByText('There is no field "x_duu"').waitFor();
    await field('Formula').fill('not isempty(x_due)');
    await field('Message when it does not hold').fill('Say until when.');
    await desk.idle();
    await desk.click(editor.getByRole('button', { name: 'Done' }));
    await editor.getByText('Say until when.').waitFor();
    await editor.locator('.states-box', { hasText: 'Free' }).focus();
    await page.keyboard.press('ArrowDown');
    await editor.getByRole('button', { name: 'Tidy up' }).waitFor();
    await editor.getByText('0 problems').waitFor();
    await desk.idle();
    await desk.checkAccessible();
    await desk.click(editor.getByRole('button', { name: 'Publish' }));
    await page.getByText('Revision 2').first().waitFor();
    const id = await app.rpc<number>('x_machine', 'create', [{ name: 'Lift' }]);
    await desk.visit(`/web?model=x_machine&view_type=form&id=${id}`);
    await desk.click(page.getByRole('button', { name: 'Rent out' }));
    await page.getByText('Say until when.').first().waitFor();
    await app.rpc('x_machine', 'write', [[id], { x_due: '2999-01-01' }]);
    await app.rpc('x_machine', 'call', [id, 'action_x_rent']);
    const [row] = await app.rpc<{ x_state: string }[]>('x_machine', 'read', [[id], ['x_state']]);
    expect(row?.x_state).not.toBe('');
    // Fields are added from lists and boards too.
    await desk.visit('/web?model=x_machine&view_type=list');
    await desk.click(page.getByRole('button', { name: 'More', exact: true }).first());
    await desk.click(desk.find('menuitem', 'Customise …'));
    await page.getByRole('dialog').getByRole('button', { name: 'Add a field' }).waitFor();
  });
});
