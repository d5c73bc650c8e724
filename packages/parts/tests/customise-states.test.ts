import type { CustomChange } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseState, customiseStates, customiseUses } from '../index.ts';

let world: TestKernel;
let lena: Actor;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm', 'sale'] });
  lena = await world.person('Lena', ['base.group_user']);
  await publish([
    {
      ...{ do: 'add_model', model: 'x_machine' },
      spec: {
        ...{ label: 'Machine', plural: 'Machines', board: 'x_state', company: true },
        access: [
          { group: 'base.group_user', write: true, create: true },
          { group: 'base.group_system', write: true, create: true, unlink: true },
        ],
      },
    },
    field('x_machine', 'x_state', {
      ...{ type: 'selection', label: 'State' },
      choices: [
        { value: 'free', label: 'Free', look: 'ok' },
        { value: 'out', label: 'Rented out', look: 'info' },
        { value: 'sold', label: 'Sold' },
      ],
    }),
    field('x_machine', 'x_customer', { type: 'many2one', label: 'With', relation: 'core.partner' }),
    field('x_machine', 'x_due', { type: 'date', label: 'Back on' }),
    field('x_machine', 'x_since', { type: 'datetime', label: 'Rented since' }),
    { do: 'change_states', model: 'x_machine', states, words: { de_DE: { 'Rent out': 'Vermieten' } } },
    {
      ...{ do: 'change_checks', model: 'x_machine' },
      checks: [
        { name: 'x_future', formula: 'x_due >= today() or isempty(x_due)', message: 'It cannot be back before today.' },
      ],
    },
  ]);
});
afterAll(() => world.close());

const states = {
  field: 'x_state',
  initial: ['free'],
  removable: ['free'],
  locks: [{ state: 'out', fields: ['name'] }],
  conditions: [
    {
      name: 'x_who',
      formula: 'not isempty(x_customer) and x_due >= today()',
      message: 'Enter who rents it, and until when.',
    },
  ],
  moves: [
    {
      ...{ name: 'x_rent', from: ['free'], to: 'out', label: 'Rent out', needs: ['x_who'] },
      sets: [{ field: 'x_since', value: { source: 'now' } }],
    },
    { name: 'x_return', from: ['out'], to: 'free', label: 'Take back' },
    { name: 'x_sell', from: ['free'], to: 'sold', label: 'Sell', groups: ['base.group_system'], warns: 'Sell it?' },
  ],
  places: [{ state: 'out', x: 300, y: 40 }],
};
const seen = async () => {
  const { base, draft } = await customiseState(world.kernel);
  return { base, draft };
};
const publish = async (changes: readonly object[], actor: Actor = world.admin) =>
  customise(world.kernel, actor, await seen(), {
    ...{ changes: changes as readonly CustomChange[], note: '', isPublished: true },
  });
const field = (model: string, name: string, spec: object) => ({ do: 'add_field', model, name, field: spec });
const mistakes = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    ({ code, details, message }: { code: string; details: { fields?: object }; message: string }) =>
      details.fields ?? `${code} ${message}`,
  );
const call = (id: number, move: string, actor = world.admin) =>
  mistakes(world.work((env) => env.model('x_machine').call([id], move), actor));
const machine = (values: object = {}) =>
  world.work((env) => env.model('x_machine').create({ name: 'Lift', ...values }));
const stateChange = (model: string, more: object) => ({ do: 'change_states', model, states: more });

describe('states and moves that were drawn in the browser', () => {
  it('CUS-51 moves ask for their conditions, set values, lock fields and are for their groups', async () => {
    const id = await machine();
    expect(await call(id, 'x_rent')).toContain('Enter who rents it, and until when.');
    const partner = await world.work((env) => env.model('core.partner').create({ name: 'Cedar' }));
    await world.work((env) => env.model('x_machine').write([id], { x_customer: partner, x_due: '2999-01-01' }));
    expect(await call(id, 'x_rent', lena)).toBe('done');
    const [row] = await world.work((env) => env.model('x_machine').read([id], ['x_state', 'x_since']));
    expect(row).toMatchObject({ x_state: 'out', x_since: expect.stringMatching(/^2/) });
    const rename = world.work((env) => env.model('x_machine').write([id], { name: 'Saw' }));
    expect(await mistakes(rename)).toEqual(expect.arrayContaining(['name']));
    expect(await call(id, 'x_return')).toBe('done');
    expect(await call(id, 'x_sell', lena)).toContain('You may not make Lift "Sold"');
    expect(await call(id, 'x_sell')).toBe('done');
    expect(await mistakes(world.work((env) => env.model('x_machine').unlink([id])))).toContain('cannot be deleted');
  });

  it('CUS-52 a rule is a formula that every record satisfies', async () => {
    expect(await mistakes(machine({ x_due: '2001-01-01' }))).toEqual({ x_due: ['It cannot be back before today.'] });
    expect(await mistakes(machine({ x_due: null }))).toBe('done');
  });

  it('CUS-51 the form has the moves as buttons and the states as its bar, in the language of the reader', async () => {
    const caller = { actor: { ...world.admin, lang: 'de_DE' }, csrf: '', lastWrite: null } as never;
    const { arch } = await buildWorkspace(
      world.kernel,
      caller,
      readWorkspaceQuery({ model: 'x_machine', view_type: 'form', id: String(await machine()) }),
    );
    const shown = JSON.stringify(arch);
    expect(shown).toContain('Vermieten');
    expect(shown).toContain('"widget":"statusbar"');
    // Nowhere else on the form.
    expect(JSON.stringify(arch.form?.children)).not.toContain('x_state');
  });

  it('CUS-53 shipped states get more states, moves and conditions, which stay in force for what was there', async () => {
    const known = await customiseStates(world.kernel, world.admin, 'sale.order', []);
    const field = known.field?.name ?? '';
    const first = known.states.find(({ isInitial }) => isInitial)?.value ?? '';
    await publish([
      stateChange('sale.order', {
        field,
        choices: [{ value: 'x_waiting', label: 'Waiting for approval', look: 'warn' }],
        locks: [{ state: 'x_waiting', fields: 'all' }],
        conditions: [{ name: 'x_ref', formula: 'not isempty(name)', message: 'It has no number.' }],
        moves: [
          { name: 'x_ask', from: [first], to: 'x_waiting', label: 'Ask for approval', needs: ['x_ref'] },
          { name: 'x_deny', from: ['x_waiting'], to: first, label: 'Turn down' },
          { name: 'confirm', from: ['x_waiting'] },
        ],
      }),
    ]);
    const after = await customiseStates(world.kernel, world.admin, 'sale.order', []);
    expect(after.states.find(({ value }) => value === 'x_waiting')).toMatchObject({
      isOwn: true,
      label: 'Waiting for approval',
    });
    expect(after.moves.filter(({ isOwn }) => isOwn).map(({ name }) => name)).toEqual(['x_ask', 'x_deny']);
    expect(after.moves.length).toBe(known.moves.length + 3);
    // From the added state, the move of the app does what it does from its own.
    const variants = after.moves.filter(({ name }) => name === 'confirm');
    expect(variants.map(({ needs, sets }) => [needs, sets])).toEqual(
      variants.map(() => [['has_lines'], ['date_confirmed', 'amend_reason']]),
    );
    const order = await world.work(async (env) => {
      const partner_id = await env.model('core.partner').create({ name: 'Norrland' });
      return env.model('sale.order').create({ partner_id });
    });
    const orders = (name: string) => mistakes(world.work((env) => env.model('sale.order').call([order], name)));
    expect(await orders('x_ask')).toBe('done');
    expect(await orders('confirm')).toContain('line');
    expect(await orders('x_deny')).toBe('done');
  });

  it('CUS-54 an extension opens nothing that the app keeps closed', async () => {
    const { field: on, states: all, moves } = await customiseStates(world.kernel, world.admin, 'sale.order', []);
    const base = { field: on?.name };
    const doing = moves.find(({ isOwn, does }) => !isOwn && does);
    const refused = async (more: object) =>
      JSON.stringify(await mistakes(publish([stateChange('sale.order', { ...base, ...more })])));
    expect(await refused({ initial: [all[1]?.value] })).toContain('for the app to say');
    expect(await refused({ removable: [all.at(-1)?.value] })).toContain('for the app to say');
    const from = [all.find(({ value, isOwn }) => !isOwn && value !== doing?.to)?.value];
    expect(doing).toBeDefined();
    expect(await refused({ moves: [{ name: 'x_skip', from, to: doing?.to, label: 'Skip' }] })).toContain(
      'does more than that',
    );
    expect(await refused({ moves: [{ name: 'confirm', groups: ['base.group_user'] }] })).toContain('nothing else');
    expect(await refused({ choices: [{ value: 'later', label: 'Later' }] })).toContain('begins with x_');
    const locked = all.find(
      ({ locks, isOwn }) =>
        !isOwn &&
        locks.length > 0 &&
        !moves.some((move) => move.from.includes(all[0]?.value ?? '') && move.to === locks[0]),
    );
    expect(locked).toBeDefined();
    const out = {
      choices: [{ value: 'x_limbo', label: 'Limbo' }],
      moves: [{ name: 'x_out', from: [locked?.value], to: 'x_limbo', label: 'Out' }],
    };
    expect(await refused(out)).toContain('locks fields that');
    // What only managers do to a confirmed order, not by another move, and not from a state in between.
    const cancel = { name: 'x_cancel', from: ['sale'], to: 'cancel', label: 'Drop' };
    expect(await refused({ moves: [cancel] })).toContain('may make records Cancelled from there');
    const limbo = {
      choices: [{ value: 'x_limbo', label: 'Limbo' }],
      locks: [{ state: 'x_limbo', fields: 'all' }],
      moves: [
        { name: 'x_out', from: ['sale'], to: 'x_limbo', label: 'Out' },
        { name: 'cancel', from: ['x_limbo'] },
      ],
    };
    expect(await refused(limbo)).toContain('does not start in Sales order');
  });

  long(
    'CUS-54 their author must be able to change the model, see what conditions read and set what moves set',
    async () => {
      const helper = await world.person('Helper', ['base.group_user', 'base.group_customise']);
      const change = stateChange('x_machine', {
        ...states,
        conditions: [{ name: 'x_who', formula: 'x_oops = 1', message: 'No.' }],
      });
      expect(JSON.stringify(await mistakes(publish([change])))).toContain('There is no field');
      const invoice = stateChange('sale.order', {
        field: 'state',
        moves: [{ name: 'x_a', from: ['draft'], to: 'draft', label: 'A' }],
      });
      expect(JSON.stringify(await mistakes(publish([invoice], helper)))).toContain('You may not');
      const endless = stateChange('x_machine', {
        ...states,
        conditions: [{ name: 'x_who', formula: '('.repeat(400), message: 'No.' }],
      });
      expect(JSON.stringify(await mistakes(publish([endless])))).toContain('nested too deeply');
    },
  );

  it('CUS-55 the picture has every state, move and condition, what the draft would be, and what is wrong with it', async () => {
    const shown = await customiseStates(world.kernel, world.admin, 'x_machine', []);
    expect(shown).toMatchObject({
      field: { name: 'x_state', isOwn: true },
      own: { places: [{ state: 'out', x: 300, y: 40 }] },
      problems: [],
    });
    expect(shown.states.map(({ value, isInitial, locks }) => [value, isInitial, locks])).toEqual([
      ['free', true, []],
      ['out', false, ['name']],
      ['sold', false, []],
    ]);
    expect(shown.states.find(({ value }) => value === 'free')?.count).toBeGreaterThan(0);
    const broken = stateChange('x_machine', {
      ...states,
      moves: [{ name: 'x_go', from: ['free'], to: 'lost', label: 'Go' }],
    });
    const preview = await customiseStates(world.kernel, world.admin, 'x_machine', [broken as unknown as CustomChange]);
    expect(preview.problems.join(' ')).toContain('"lost"');
    const none = customiseStates(world.kernel, lena, 'x_machine', []);
    expect(await mistakes(none)).toContain('group "Customise"');
  });

  it('CUS-13 states and rules are listed among what uses a field', async () => {
    const uses = await customiseUses(world.kernel, world.admin, { model: 'x_machine', name: 'x_due' });
    expect(uses.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Rule', 'States and moves']));
  });
});
