import { addDays, dateIn, defineModel, type FieldsOf, fields } from '@kontor/addon';

const tourFields = {
  name: fields.char({ required: true }),
  start: fields.datetime({ required: true }),
  stop: fields.datetime({ required: true, ends: 'start' }),
  all_day: fields.boolean({}),
  rider_ids: fields.many2many('core.user'),
  seat_ids: fields.one2many('workshop.seat', 'tour_id'),
  company_id: fields.many2one('core.company'),
};
export interface WorkshopTour extends FieldsOf<typeof tourFields> {}

const seatFields = {
  tour_id: fields.many2one('workshop.tour', { required: true, ondelete: 'cascade' }),
  user_id: fields.many2one('core.user', { required: true }),
  answer: fields.selection({ yes: 'Comes', no: 'Does not come' }),
};
export interface WorkshopSeat extends FieldsOf<typeof seatFields> {}

const logFields = {
  model: fields.char({ required: true, names: 'model' }),
  res_id: fields.integer({ required: true }),
  body: fields.text({}),
  by_hand: fields.boolean({}),
  is_all_day: fields.boolean({}),
};
export interface WorkshopLog extends FieldsOf<typeof logFields> {}

const countFields = { name: fields.char({}), bikes: fields.integer({}) };
export interface WorkshopCount extends FieldsOf<typeof countFields> {}

declare module '@kontor/addon' {
  interface Models {
    'workshop.tour': WorkshopTour;
    'workshop.seat': WorkshopSeat;
    'workshop.log': WorkshopLog;
    'workshop.count': WorkshopCount;
  }
}

export const workshopTour = defineModel('workshop.tour', {
  label: 'Tour',
  was: 'workshop.ride',
  joinedBy: ['name', 'company_id'],
  companyRule: false,
  fields: tourFields,
  normalise: {
    whole_days: {
      on: ['start', 'stop', 'all_day'],
      reads: ['company_id'],
      value: ({ start, stop, all_day: isWhole }, { before, given }) => {
        if (!isWhole || !start || !stop || (before?.all_day && !given('start'))) return undefined;
        return { start: `${dateIn('UTC', start)}T00:00:00Z`, stop: `${addDays(dateIn('UTC', stop), 1)}T00:00:00Z` };
      },
    },
  },
  excludes: {
    one_at_a_time: {
      same: ['company_id'],
      range: ['start', 'stop'],
      where: [['all_day', '=', true]],
      message: 'There is a tour of whole days then.',
    },
  },
  due: {
    label: 'Tours',
    icon: 'calendar',
    date: 'start',
    until: 'stop',
    allDay: 'all_day',
    by: 'rider_ids',
    open: [],
    unless: [{ lines: 'seat_ids', by: 'user_id', where: [['answer', '=', 'no']] }],
  },
});

export const workshopSeat = defineModel('workshop.seat', {
  label: 'Seat',
  displayName: '{user_id.name}',
  ownRules: 'Everyone may say whether they come, also on tours that others lead.',
  fields: seatFields,
});

export const workshopLog = defineModel('workshop.log', {
  label: 'Log entry',
  about: { model: 'model', id: 'res_id', where: [['by_hand', '=', true]] },
  quiet: true,
  closedToAgents: true,
  timeline: {
    log: {
      label: 'Log',
      icon: 'file-text',
      date: 'create_date',
      allDay: 'is_all_day',
      about: { model: 'model', id: 'res_id' },
      title: 'body',
    },
  },
  fields: logFields,
});

export const workshopCount = defineModel('workshop.count', {
  label: 'Bikes by kind',
  fields: countFields,
  served: {
    async read(env) {
      const rows = await env.model('workshop.bike').readGroup({ domain: [], groupby: ['kind'], fields: [] });
      return rows.map((row, at) => ({ id: at + 1, name: String(row.kind), bikes: row.__count }));
    },
    sample: [['bikes', '>', 0]],
    async create(env, rows) {
      return env.model('workshop.bike').createMany(rows);
    },
    async unlink(env, ids) {
      await env.model('workshop.bike').unlink(ids);
    },
  },
});
