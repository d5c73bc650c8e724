import { answer, defineModel, type Env, fields, now } from '@kontor/orm';

/** Jobs of a workshop: orders with lines, stages of teams, and what is settled once they are sold. */
const team = defineModel('work.team', { fields: { name: fields.char() } });
const reason = defineModel('work.reason', {
  fields: { name: fields.char(), active: fields.boolean({ default: true }) },
});
const stage = defineModel('work.stage', {
  order: 'sequence, id',
  fields: {
    name: fields.char(),
    sequence: fields.integer({ default: 10 }),
    state: fields.char(),
    team_id: fields.many2one('work.team'),
    active: fields.boolean({ default: true }),
  },
});
const line = defineModel('work.line', {
  label: 'Line',
  fields: {
    name: fields.char(),
    job_id: fields.many2one('work.job', { required: true, ondelete: 'cascade' }),
    hours: fields.integer({ default: 1 }),
    done: fields.integer({ unlocked: true }),
  },
});
const note = defineModel('work.note', {
  fields: { name: fields.char(), job_id: fields.many2one('work.job', { ondelete: 'set null' }) },
});
/** What ran, in the order in which it did. */
export const trail: string[] = [];

const job = defineModel('work.job', {
  label: 'Job',
  fields: {
    name: fields.char({ required: true }),
    state: fields.selection({ open: 'Open', sold: 'Sold', lost: 'Lost', gone: 'Gone' }),
    stage_id: fields.many2one('work.stage', { label: 'Stage', required: true }),
    stage_before_id: fields.many2one('work.stage', { ondelete: 'set null' }),
    team_id: fields.many2one('work.team', { label: 'Team' }),
    reason_id: fields.many2one('work.reason', { label: 'Reason' }),
    tag_ids: fields.many2many('work.team', { label: 'Tags' }),
    price: fields.integer({ label: 'Price' }),
    remark: fields.char(),
    rating: fields.integer({ unlocked: true }),
    sequence: fields.integer(),
    closed_at: fields.datetime({ readonly: true }),
    closed_by: fields.integer({ readonly: true }),
    active: fields.boolean({ default: true }),
    line_ids: fields.one2many('work.line', 'job_id', { label: 'Lines' }),
    note_ids: fields.one2many('work.note', 'job_id'),
    hours: fields.integer({ computed: true, stored: true }),
  },
  computes: { hours: { sum: 'line_ids.hours' } },
  states: {
    field: 'state',
    initial: 'open',
    removable: ['open', 'gone'],
    locks: { sold: ['price', 'tag_ids', 'line_ids'], gone: 'all' },
    stages: {
      field: 'stage_id',
      state: (each) => each.state as string,
      within: { team_id: 'team_id' },
      before: 'stage_before_id',
    },
    conditions: {
      has_price: { reads: ['price'], holds: (it) => it.price !== null, message: 'Say the price.' },
      has_lines: { reads: ['hours'], holds: (it) => Number(it.hours) > 0, message: 'Add a line.' },
    },
  },
  moves: {
    sell: {
      from: 'open',
      to: 'sold',
      label: 'Sell',
      needs: ['has_price', 'has_lines'],
      sets: { closed_at: now },
      async run({ env, records }) {
        const [first] = await env.model('work.job').read(records.ids, ['state']);
        trail.push(`sold ${records.ids.length}, seen ${first?.state}`);
      },
    },
    lose: {
      from: ['open', 'lost'],
      to: 'lost',
      label: 'Lose',
      undo: false,
      asks: {
        reason_id: fields.many2one('work.reason', { label: 'Reason', required: true, domain: [['active', '=', true]] }),
        remark: fields.char(),
      },
      sets: { reason_id: answer, remark: answer, closed_at: now },
      async proposes({ records }) {
        const names = (await records.load('name')).map((record) => record.name);
        return { value: { remark: names.join(', ') }, domain: { reason_id: [['name', '!=', 'Weather']] } };
      },
    },
    reopen: [
      { from: 'lost', to: 'open', label: 'Reopen', sets: { closed_at: null, reason_id: null } },
      { from: 'sold', to: 'open', label: 'Take back', groups: ['work.boss'], refusal: 'Ask the boss.' },
    ],
    drop: { from: ['open', 'sold'], to: 'gone', label: 'Drop' },
    revive: { from: 'gone', to: 'lost', label: 'Revive' },
  },
  hooks: {
    async afterWrite({ ids, values }) {
      if (values.state !== undefined) trail.push(`wrote ${values.state} ${ids.length}`);
    },
  },
});

/** The boss decides the team, the team the stages, and the stage the chance. */
const offer = defineModel('work.offer', {
  fields: {
    name: fields.char({ required: true }),
    boss_id: fields.many2one('work.boss'),
    team_id: fields.many2one('work.team', { computed: true, stored: true, editable: true }),
    stage_id: fields.many2one('work.stage', { required: true }),
    state: fields.selection({ open: 'Open', sold: 'Sold' }),
    chance: fields.integer({ computed: true, stored: true, editable: true }),
  },
  computes: {
    team_id: {
      depends: ['boss_id.team_id'],
      value: ({ boss_id: boss }) => (boss as { team_id: unknown } | null)?.team_id ?? null,
    },
    chance: {
      depends: ['state', 'stage_id.sequence'],
      value: ({ state, stage_id: at }) =>
        state === 'sold' ? 100 : ((at as { sequence: number } | null)?.sequence ?? null),
    },
  },
  states: {
    field: 'state',
    initial: 'open',
    locks: { sold: ['team_id'] },
    stages: {
      field: 'stage_id',
      state: (each) => each.state as string,
      within: { team_id: 'team_id' },
      ownFirst: true,
    },
  },
  moves: {
    sell: { from: 'open', to: 'sold', label: 'Sell' },
    reopen: { from: 'sold', to: 'open', label: 'Reopen', sets: { chance: 1 } },
  },
});
const boss = defineModel('work.boss', { fields: { name: fields.char(), team_id: fields.many2one('work.team') } });

export const workshop = [team, reason, stage, line, note, job, boss, offer];
export const jobs = (env: Env) => env.model('work.job');
