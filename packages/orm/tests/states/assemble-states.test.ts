import {
  answer,
  assembleRegistry,
  currentUser,
  DefinitionError,
  defineModel,
  fields,
  inheritModel,
  type Model,
  type ModelDefinition,
  now,
} from '@kontor/orm';
import { describe, expect, it } from 'vitest';

const team = defineModel('helm.team', { fields: { name: fields.char() } });
const stage = defineModel('helm.stage', {
  fields: {
    name: fields.char(),
    is_done: fields.boolean(),
    team_id: fields.many2one('helm.team'),
    team_ids: fields.many2many('helm.team'),
  },
});
const line = defineModel('helm.line', {
  fields: {
    ticket_id: fields.many2one('helm.ticket', { required: true, ondelete: 'cascade' }),
    note_ticket_id: fields.many2one('helm.ticket'),
  },
});
const ticket = defineModel('helm.ticket', {
  label: 'Ticket',
  fields: {
    name: fields.char({ required: true }),
    state: fields.selection({ draft: 'Draft', open: 'Open', done: 'Done' }),
    stage_id: fields.many2one('helm.stage'),
    stage_before_id: fields.many2one('helm.stage'),
    team_id: fields.many2one('helm.team'),
    tag_ids: fields.many2many('helm.team'),
    closed_at: fields.datetime({ readonly: true }),
    reason: fields.char(),
    active: fields.boolean({ default: true }),
    sequence: fields.integer(),
    line_ids: fields.one2many('helm.line', 'ticket_id'),
    note_ids: fields.one2many('helm.line', 'note_ticket_id'),
    line_count: fields.integer({ computed: true, stored: true }),
    price: fields.integer({ computed: true, stored: true, editable: true }),
  },
  computes: { line_count: { count: 'line_ids' }, price: { depends: ['name'], value: () => 1 } },
  states: {
    field: 'state',
    initial: 'draft',
    removable: ['draft'],
    locks: { open: ['name', 'line_ids'], done: 'all' },
    stages: {
      field: 'stage_id',
      state: (each) => (each.is_done ? 'done' : 'open'),
      within: { team_id: 'team_id' },
      before: 'stage_before_id',
    },
    conditions: { has_lines: { reads: ['line_count'], holds: (it) => Number(it.line_count) > 0, message: 'Add one.' } },
  },
  moves: {
    begin: { from: 'draft', to: 'open', label: 'Begin', icon: 'play' },
    finish: [
      { from: 'open', to: 'done', label: 'Finish', needs: ['has_lines'], sets: { closed_at: now } },
      {
        from: 'draft',
        to: 'done',
        label: 'Drop',
        danger: true,
        undo: false,
        warns: 'Drop it?',
        asks: { reason: fields.char({ required: true }) },
        sets: { reason: answer },
      },
    ],
    reopen: { from: ['done', 'open'], to: 'draft', label: 'Reopen', groups: ['desk.boss'], refusal: 'Ask the boss.' },
  },
  actions: { poke: { label: 'Poke', icon: 'hand', asks: { hard: fields.boolean() }, run: async () => undefined } },
});
const desk = [team, stage, line, ticket];

function assembled(...more: ModelDefinition[]): Model {
  return assembleRegistry([
    { module: 'desk', definitions: desk },
    { module: 'more', definitions: more },
  ]).model('helm.ticket');
}
function faults(spec: Parameters<typeof inheritModel>[1]): string[] {
  try {
    assembled(inheritModel('helm.ticket', spec));
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
}

describe('states as assembled', () => {
  it('CMP-9 the field of the states is required and begins where they say', () => {
    const { fields: all, states } = assembled();
    expect(all.get('state')).toMatchObject({ required: true, spec: { default: 'draft' } });
    expect(states).toMatchObject({ field: 'state', initial: new Set(['draft']), removable: new Set(['draft']) });
    expect(states?.stages).toMatchObject({
      field: 'stage_id',
      model: 'helm.stage',
      within: { stage: 'team_id', own: 'team_id' },
      before: 'stage_before_id',
    });
  });

  it('CMP-9 "all" locks what people set and the lines that are part of the record', () => {
    const { states } = assembled();
    expect([...(states?.locks.get('open') ?? [])]).toEqual(['name', 'line_ids']);
    expect([...(states?.locks.get('done') ?? [])]).toEqual([
      'name',
      'team_id',
      'tag_ids',
      'closed_at',
      'reason',
      'line_ids',
      'price',
    ]);
  });

  it('CMP-9 a move is an action by its name outside, with what its variants ask', () => {
    const { actions, states } = assembled();
    const finish = actions.get('action_finish');
    expect(finish).toMatchObject({ kind: 'move', needs: 'write', groups: null });
    expect([...(finish?.asks.keys() ?? [])]).toEqual(['reason']);
    expect(states?.moves.get('finish')).toMatchObject([
      { action: 'action_finish', from: new Set(['open']), to: 'done', canUndo: true, isDangerous: false, warns: null },
      { from: new Set(['draft']), label: 'Drop', canUndo: false, isDangerous: true, warns: 'Drop it?' },
    ]);
    expect(actions.get('action_poke')).toMatchObject({ kind: 'action', label: 'Poke', icon: 'hand' });
    expect(actions.get('action_poke')?.asks.get('hard')).toMatchObject({ isStored: false, column: null });
  });

  it('CMP-9 an extension adds states, locks, moves, and to those there', () => {
    const { states } = assembled(
      inheritModel('helm.ticket', {
        fields: { state: fields.selection({ held: 'Held' }), shelf: fields.char(), user: fields.char() },
        states: {
          removable: ['held'],
          locks: { open: ['shelf'] },
          conditions: { is_short: { reads: ['name'], holds: () => true, message: 'Shorter.' } },
        },
        moves: {
          hold: { from: 'open', to: 'held', label: 'Hold' },
          finish: { needs: ['is_short'] },
          reopen: [
            { from: 'open', sets: { reason: null }, groups: ['desk.clerk'] },
            { from: 'held', to: 'open' },
          ],
        },
      }),
    );
    expect([...(states?.removable ?? [])]).toEqual(['draft', 'held']);
    expect([...(states?.locks.get('open') ?? [])]).toEqual(['name', 'line_ids', 'shelf']);
    expect([...(states?.moves.keys() ?? [])]).toEqual(['begin', 'finish', 'reopen', 'hold']);
    expect(states?.moves.get('finish')?.map(({ needs }) => needs)).toEqual([['has_lines', 'is_short'], ['is_short']]);
    expect(states?.moves.get('reopen')?.map(({ from, to, groups, label }) => [[...from], to, groups, label])).toEqual([
      [['open'], 'draft', ['desk.boss', 'desk.clerk'], 'Reopen'],
      [['done'], 'draft', ['desk.boss'], 'Reopen'],
      [['held'], 'open', null, 'Reopen'],
    ]);
  });

  it('CMP-9 a move that inherits does from further states what its first variant does', () => {
    const { states } = assembled(
      inheritModel('helm.ticket', {
        fields: { state: fields.selection({ held: 'Held' }) },
        moves: { finish: { from: 'held', inherits: true } },
      }),
    );
    const variants = states?.moves.get('finish') ?? [];
    const [first] = variants;
    const added = variants.find(({ from }) => from.has('held'));
    expect({ ...added, from: null }).toEqual({ ...first, from: null });
  });

  it('CMP-9 CUS-52 conditions and constraints can be formulas; a mistake names them', () => {
    const shaped = (formula: string) =>
      assembled(
        inheritModel('helm.ticket', {
          states: { conditions: { is_named: { formula, message: 'Name it.' } } },
          moves: { begin: { needs: ['is_named'] } },
          constraints: { is_short: { formula: 'length(name) < 9 and team_id.name != name', message: 'Shorter.' } },
        }),
      );
    const { states, constraints } = shaped('not isempty(name)');
    const condition = states?.conditions.get('is_named');
    expect(condition?.reads).toEqual(['name']);
    expect(
      [
        { id: 1, name: 'A' },
        { id: 1, name: null },
      ].map((record) => condition?.holds(record, { today: '2026-01-01' })),
    ).toEqual([...[true, false]]);
    expect(constraints.find(({ name }) => name === 'is_short')).toMatchObject({
      ...{ on: ['name', 'team_id'], reads: ['team_id.name'] },
    });
    expect(() => shaped('nam = 1')).toThrow('condition "is_named": There is no field "nam"');
  });

  it('CUS-52 a constraint that is a formula can name the changes that it is checked at, and what it locks', () => {
    const { constraints } = assembled(
      inheritModel('helm.ticket', {
        constraints: {
          is_short: {
            on: ['name'],
            formula: 'length(name) < 9 or team_id.name = name or state = "open"',
            message: 'Shorter.',
            serialize: ['team_id'],
          },
        },
      }),
    );
    expect(constraints.find(({ name }) => name === 'is_short')).toMatchObject({
      ...{ on: ['name'], reads: ['team_id.name', 'state'], serialize: ['team_id'] },
    });
  });

  it('CUS-52 constraints are checked in their order, formulas among the others', () => {
    const told = { message: 'Shorter.' };
    const { constraints } = assembled(
      inheritModel('helm.ticket', {
        constraints: {
          is_named: { formula: 'not isempty(name)', ...told },
          is_short: { on: ['name'], holds: () => true, ...told },
          is_other: { formula: 'team_id.name != name', ...told },
        },
      }),
    );
    expect(constraints.map(({ name }) => name).slice(-3)).toEqual(['is_named', 'is_short', 'is_other']);
  });

  it('CMP-9 what an extension runs has what was there as base', async () => {
    const trace: string[] = [];
    const step = (name: string): ModelDefinition =>
      inheritModel('helm.ticket', {
        moves: {
          begin: {
            async run(call, base) {
              trace.push(name);
              return base(call);
            },
          },
        },
      });
    const [begin] = assembled(step('first'), step('second')).states?.moves.get('begin') ?? [];
    await begin?.run?.({} as never);
    expect(trace).toEqual(['second', 'first']);
  });
});

describe('CMP-9 mistakes are told with the nearest name', () => {
  it('in states', () => {
    expect(faults({ states: { initial: 'drat', removable: ['opn'] } })).toEqual([
      'states have "drat" in "initial", which is no value. Did you mean "draft"?',
      'states have "opn" in "removable", which is no value. Did you mean "open"?',
    ]);
    expect(faults({ states: { field: 'name' } })).toEqual(['states are on "name", but they are on "state" already.']);
    expect(faults({ states: { locks: { opn: ['nme', 'line_count', 'state'] } } })).toEqual([
      'states have "opn" in "locks", which is no value. Did you mean "open"?',
      'states lock "nme" in "opn": there is no such field. Did you mean "name"?',
      'states lock "line_count" in "opn": it is worked out, so nobody changes it.',
      'states lock "state" in "opn": moves say how it changes.',
    ]);
    expect(faults({ states: { conditions: { c: { reads: ['nme'], holds: () => true, message: '' } } } })[0]).toContain(
      'states condition "c" reads "nme"',
    );
  });

  it('in moves', () => {
    expect(faults({ moves: { go: { from: 'opn', to: 'dne', label: 'Go', needs: ['has_line'] } } })).toEqual([
      'move "go" has "opn" in "from", which is no value. Did you mean "open"?',
      'move "go" has "dne" in "to", which is no value. Did you mean "done"?',
      'move "go" needs "has_line": no such condition. Did you mean "has_lines"?',
    ]);
    expect(faults({ moves: { go: { from: 'open' } } })).toEqual([
      'move "go" does not say where it leads: give "to".',
      'move "go" needs a "label".',
    ]);
    expect(faults({ moves: { go: { to: 'open', label: 'Go' } } })).toEqual([
      'move "go" does not say where it starts: give "from".',
    ]);
    expect(faults({ moves: { begin: { from: 'draft', to: 'done' } } })).toEqual([
      'move "begin" leads from "draft" to "open" already, so not to "done".',
    ]);
    const twice = { from: 'open', to: 'done', label: 'Go' };
    expect(faults({ moves: { go: [twice, twice] } })).toEqual(['move "go" starts in "open" twice.']);
    expect(faults({ moves: { poke: twice, copy: twice, action_go: twice } })).toEqual([
      'move "action_go": leave out "action_": the name outside has it by itself.',
      'move "poke" is an action as well: a name is one or the other.',
      'move "copy" has the name of an action that every model has.',
    ]);
  });

  it('in what a move sets', () => {
    const sets = { nme: 1, state: 'open', line_count: 2, team_id: currentUser, closed_at: 'x', name: answer };
    expect(faults({ moves: { go: { from: 'open', to: 'done', label: 'Go', sets } } })).toEqual([
      'move "go" sets "nme": there is no such field. Did you mean "name"?',
      'move "go" sets "state": it follows from where the move leads.',
      'move "go" sets "line_count": only what is stored and not computed can be set.',
      'move "go" sets "team_id": the "user" is a record of core.user.',
      expect.stringContaining('move "go" sets "closed_at": '),
      'move "go" sets "name": nothing of this name is asked.',
    ]);
  });

  it('in what is asked', () => {
    const run = async () => undefined;
    const asks = {
      active_ids: fields.char(),
      lines: fields.one2many('helm.line', 'ticket_id'),
      who: fields.many2one('helm.tem'),
      sum: fields.integer({ computed: true }),
      size: fields.integer({ min: 3, max: 1 }),
    };
    expect(faults({ actions: { weigh: { asks, run } } })).toEqual([
      'action "weigh" asks "active_ids": this name is reserved.',
      'action "weigh" asks "lines": lines of a record cannot be asked for.',
      'action "weigh" asks "who": there is no model helm.tem. Did you mean "helm.team"?',
      'action "weigh" asks "sum": an answer is kept nowhere, so it cannot be computed.',
      'action "weigh" asks "size": its min 3 is above its max 1.',
    ]);
  });

  it('in stages', () => {
    const stages = { field: 'stage_id', state: () => 'open' };
    const own = (more: object) => {
      const model = defineModel('helm.other', {
        fields: {
          state: fields.selection({ open: 'Open' }),
          stage_id: fields.many2one('helm.stage'),
          name: fields.char(),
          team_id: fields.many2one('helm.team'),
        },
        states: { field: 'state', initial: 'open', stages: { ...stages, ...more } },
      });
      try {
        assembled(model);
      } catch (error) {
        return (error as DefinitionError).problems.map(({ message }) => message);
      }
      return [];
    };
    expect(own({ within: { team_ids: 'team_id' } })).toEqual([]);
    expect(own({ field: 'stag_id' })).toEqual([
      'states have stages in "stag_id": there is no such field. Did you mean "stage_id"?',
    ]);
    expect(own({ field: 'name' })).toEqual(['states have stages in "name": it is no stored many2one.']);
    expect(own({ before: 'team_id' })).toEqual([
      'states remember the stage before in "team_id", which is no stored many2one to helm.stage.',
    ]);
    expect(own({ within: { teams: 'team_id' } })[0]).toContain('within "teams": helm.stage has no such field.');
    expect(own({ within: { team_id: 'stage_id' } })).toEqual([
      'states within "team_id": it does not point at helm.stage, as "stage_id" does.',
    ]);
  });

  it('where there is nothing to move between', () => {
    const lost = () =>
      assembled(defineModel('helm.lost', { fields: {}, moves: { go: { from: 'a', to: 'b', label: 'Go' } } }));
    expect(lost).toThrow('move "go" has no states to move between: give "states".');
  });
});
