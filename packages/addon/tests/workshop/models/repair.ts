import {
  addDays,
  answer,
  type CallsOf,
  currentCompany,
  currentUser,
  dateIn,
  defineModel,
  type Env,
  editable,
  type FieldsOf,
  fields,
  now,
  open,
  openRelated,
  openSheet,
  sequence,
} from '@kontor/addon';
import { tellOwner } from '../tell-owner.ts';

const repairFields = {
  name: fields.char({ label: 'Number', required: true, readonly: true, default: sequence('workshop.repair') }),
  bike_id: fields.many2one('workshop.bike', { required: true, checkCompany: true }),
  problem: fields.text({ required: true }),
  state: fields.selection(
    { asked: 'Asked for', work: 'In work', done: 'Done', off: 'Called off' },
    { required: true, default: 'asked', tracking: true, sets: { open: ['asked', 'work'] } },
  ),
  stage_id: fields.many2one('workshop.stage', { label: 'Stage', required: true }),
  stage_before_id: fields.many2one('workshop.stage', { readonly: true }),
  team_id: fields.many2one('workshop.team'),
  mechanic_id: fields.many2one('core.user', { default: currentUser }),
  date_due: fields.date({ label: 'Promised for', ...editable }),
  finished_at: fields.datetime({ readonly: true, copy: false }),
  bill: fields.char({ label: 'Number of the bill', readonly: true, copy: false }),
  billed_on: fields.date({ copy: false }),
  rating: fields.integer({ min: 1, max: 5, aggregate: 'average', unlocked: true }),
  reason: fields.char({ label: 'Why it was called off' }),
  icon: fields.char({ default: 'wrench' }),
  company_id: fields.many2one('core.company', { default: currentCompany }),
  currency_id: fields.many2one('core.currency', { related: 'bike_id.currency_id', stored: true, ratesOn: 'billed_on' }),
  line_ids: fields.one2many('workshop.line', 'repair_id'),
  total: fields.monetary({ computed: true, stored: true }),
};
export interface WorkshopRepair extends FieldsOf<typeof repairFields, 'stage_id'> {}
export interface WorkshopRepairCalls extends CallsOf<typeof workshopRepair> {}
declare module '@kontor/addon' {
  interface Models {
    'workshop.repair': WorkshopRepair;
  }
  interface Calls {
    'workshop.repair': WorkshopRepairCalls;
  }
}

export const workshopRepair = defineModel('workshop.repair', {
  label: 'Repair',
  order: 'date_due, id',
  chatter: true,
  fields: repairFields,
  computes: {
    total: { sum: 'line_ids.subtotal' },
    date_due: {
      depends: ['bike_id.is_electric', 'bike_id.seen_at'],
      value: ({ bike_id: bike }, { today, tz, isNew }) => {
        if (!isNew) return undefined;
        return bike?.seen_at ? addDays(dateIn(tz, bike.seen_at), 7) : today;
      },
    },
  },
  states: {
    field: 'state',
    initial: ['asked', 'work'],
    removable: ['asked', 'off'],
    abandoned: ['off'],
    locks: { done: ['bike_id', 'line_ids'], off: 'all' },
    stages: {
      field: 'stage_id',
      state: (stage) => stage.state,
      within: { team_id: 'team_id' },
      before: 'stage_before_id',
      ownFirst: true,
    },
    conditions: {
      has_lines: {
        reads: ['line_ids'],
        holds: (repair) => repair.line_ids.length > 0,
        message: 'Say what was done before you finish it.',
      },
      is_described: { formula: 'not isempty(problem)', message: 'Describe the problem first.' },
    },
  },
  moves: {
    start: { from: 'asked', to: 'work', label: 'Start', icon: 'play', sets: { mechanic_id: currentUser } },
    finish: {
      from: 'work',
      to: 'done',
      label: 'Done',
      icon: 'check',
      needs: ['has_lines', 'is_described'],
      sets: { finished_at: now, bill: sequence('workshop.bill', { on: 'billed_on' }) },
      undo: false,
      run: async ({ env, records }) => tellOwner(env, records.ids),
    },
    call_off: [
      { from: 'asked', to: 'off', label: 'Call off' },
      {
        from: 'work',
        to: 'off',
        label: 'Call off',
        danger: true,
        warns: 'Somebody works on it. Call it off?',
        groups: ['base.group_system'],
        refusal: 'Ask the master to call it off.',
        asks: { reason: fields.char({ label: 'Why?', required: true }) },
        proposes: async ({ records }) => ({ value: { reason: records.ids.length > 1 ? 'Closed' : null } }),
        sets: { reason: answer },
      },
    ],
  },
  actions: {
    postpone: {
      label: 'Postpone',
      icon: 'calendar-clock',
      warns: 'Does the owner know?',
      mails: 'also',
      needs: 'write',
      single: 'Choose one repair.',
      groups: ['base.group_user'],
      asks: { day: fields.date({ label: 'Until', required: true }) },
      proposes: async ({ records }) => ({ value: { day: (await records.only('date_due')).date_due } }),
      async run({ env, records, answers }) {
        await env.model('workshop.repair').write(records.ids, { date_due: answers.day });
      },
    },
    show_bike: {
      needs: 'read',
      async run({ records }) {
        const [repair] = await records.load('bike_id.id');
        return repair && open('workshop.bike', { id: repair.bike_id.id });
      },
    },
    show_lines: openRelated('workshop.line', 'repair_id', { view: 'list' }),
  },
  hooks: {
    async beforeCreate({ values }) {
      return values.map((row) => ({ ...row, problem: row.problem?.trim() ?? null }));
    },
    async afterCreate({ env, ids }) {
      const repairs = await env.model('workshop.repair').load(ids, ['bike_id.id']);
      // Whoever writes a repair has brought the bike in, and need not be allowed to change it.
      const bikes = env.sudo().model('workshop.bike');
      await bikes.write([...new Set(repairs.map(({ bike_id: bike }) => bike.id))], { seen_at: env.now.toISOString() });
    },
    on: ['problem', 'mechanic_id'],
    async beforeWrite({ values }) {
      return values.problem ? { ...values, problem: values.problem.trim() } : values;
    },
    async afterWrite({ env, ids, values }) {
      if (values.mechanic_id) await env.model('workshop.repair').count([['id', 'in', ids]]);
    },
    async beforeUnlink({ env, ids }) {
      const lines = await env.model('workshop.line').search([['repair_id', 'in', ids]]);
      await env.model('workshop.line').unlink(lines);
    },
    async afterUnlink({ env, ids }) {
      const { log } = console;
      if (env.isSudo) log(`${ids.length} repairs are gone`);
    },
  },
  portal: {
    label: 'Repairs',
    customer: 'bike_id.owner_id',
    where: [['state', '!=', 'off']],
    title: 'name',
    date: 'date_due',
    status: 'state',
    until: 'date_due',
    contact: 'mechanic_id',
    shows: ['problem', 'bike_id.name'],
    sums: ['total'],
    total: 'total',
    lines: {
      field: 'line_ids',
      title: 'part_id.name',
      quantity: 'quantity',
      unit: 'part_id.name',
      price: 'part_id.price',
      amount: 'subtotal',
      status: 'kind',
      kind: 'kind',
      option: { chosen: 'part', amount: 'subtotal', total: 'subtotal' },
    },
    allows: ['comment', 'attach'],
    accept: { move: 'start', where: [['state', '=', 'asked']] },
    decline: { move: 'call_off', where: [['state', '=', 'asked']] },
    document: async (env, id) => ({ name: 'repair.pdf', pdf: await drawRepair(env, id) }),
    payment: async () => ({
      amount: '€12.00',
      due: null,
      details: [['IBAN', 'DE02 1203 0000 0000 2020 51']],
      code: null,
    }),
  },
  timeline: {
    repairs: {
      label: 'Repairs',
      icon: 'wrench',
      date: 'date_due',
      of: 'bike_id.owner_id',
      where: [['state', '!=', 'off']],
      shows: ['bike_id', 'state', 'total'],
    },
  },
  due: {
    label: 'Repairs',
    icon: 'wrench',
    iconAt: 'icon',
    date: 'date_due',
    by: 'mechanic_id',
    open: [['state', 'in', 'open']],
    title: '{name} is promised',
    lateTitle: '{name} is late',
    about: ['bike_id'],
    done: 'finish',
    acts: ['start'],
    postpone: false,
    daysAhead: 2,
    daysLate: 30,
  },
});

async function drawRepair(env: Env, id: number): Promise<Buffer> {
  const [repair] = await env.model('workshop.repair').read([id], ['name']);
  const sheet = await openSheet(env, { title: repair?.name ?? '', author: 'Wheel & Sons', lang: null });
  return sheet.close('Wheel & Sons');
}
