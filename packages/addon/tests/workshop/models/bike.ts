import {
  addMonths,
  companyValue,
  currentCompany,
  defineModel,
  editable,
  type FieldsOf,
  fields,
  type ModelDefinition,
  today,
} from '@kontor/addon';

const bikeFields = {
  name: fields.char({ required: true, size: 80, help: 'As its owner calls it.' }),
  frame_number: fields.char({ unique: true, clean: (given) => given.trim().toUpperCase() }),
  color: fields.char({ synonyms: ['Paint'] }),
  made_in: fields.char({ size: 2, isoCode: 'region' }),
  kind: fields.selection({ city: 'City bike', road: 'Road bike', cargo: 'Cargo bike' }, { default: 'city' }),
  owner_id: fields.many2one('core.partner', { required: true, ondelete: 'restrict', index: true }),
  last_mechanic_id: fields.many2one('core.user', { domain: [['active', '=', true]], copy: false, key: false }),
  company_id: fields.many2one('core.company', { default: currentCompany }),
  bought_on: fields.date({ default: today }),
  seen_at: fields.datetime({ readonly: true }),
  set_aside: fields.boolean({
    meantFor: { groups: ['base.group_system'], where: [['last_mechanic_id', '=', '$uid']] },
  }),
  is_electric: fields.boolean({ label: 'Has a motor', flag: true }),
  gears: fields.integer({ min: 1, max: 40, was: 'gear_count' }),
  weight: fields.float({ label: 'Weight in kg', min: 0 }),
  tyre_pressure: fields.decimal({ precision: [4, 1], aggregate: 'average' }),
  value: fields.monetary({ currency: 'currency_id', groups: ['base.group_system'] }),
  currency_id: fields.many2one('core.currency', { default: companyValue('currency_id') }),
  remark: fields.text({ personal: true }),
  story: fields.html({ tracking: true }),
  photo: fields.image({}),
  manual: fields.binary({}),
  set_up: fields.json({ label: 'How it is set up' }),
  lock_code: fields.char({ secret: true }),
  found_by: fields.reference({ models: ['core.partner', 'core.user'] }),
  owner_city: fields.related('owner_id.city'),
  owner_phone: fields.char({ format: 'phone', from: 'owner_id.phone' }),
  owner_email: fields.char({ follows: 'owner_id.email', live: true, likelyUnique: true }),
  owner_name: fields.char({ related: 'owner_id.name', stored: true }),
  service_every: fields.integer({ label: 'Months between services', ...editable }),
  taken_in: fields.char({ label: 'How it came', ...editable }),
  order_of_work: fields.integer({ default: 10 }),
  tag_ids: fields.many2many('workshop.tag', { inverse: 'bike_ids' }),
  rider_ids: fields.many2many('core.partner', {
    through: { table: 'workshop_bike_rider', own: 'bike_id', other: 'rider_id' },
  }),
  repair_ids: fields.one2many('workshop.repair', 'bike_id'),
  repair_count: fields.integer({ computed: true }),
  spent: fields.monetary({ computed: true, stored: true }),
  last_done: fields.datetime({ computed: true, required: false }),
  first_due: fields.date({ computed: true, required: false }),
  is_warranted: fields.boolean({ label: 'Under warranty', computed: true, stored: true }),
  age: fields.char({ label: 'How old it is', computed: true }),
  load_limit: fields.float({ computed: true, required: false, formula: 'round(weight * 4.5)' }),
  load_left: fields.float({ computed: true, required: false }),
};
export interface WorkshopBike extends FieldsOf<typeof bikeFields> {}

const tagFields = {
  name: fields.char({ required: true }),
  color: fields.integer({}),
  bike_ids: fields.many2many('workshop.bike', { inverse: 'tag_ids' }),
};
export interface WorkshopTag extends FieldsOf<typeof tagFields> {}

declare module '@kontor/addon' {
  interface Models {
    'workshop.bike': WorkshopBike;
    'workshop.tag': WorkshopTag;
  }
}

export const workshopTag: ModelDefinition = defineModel('workshop.tag', {
  label: 'Tag',
  noCompany: 'Tags are the same for every company.',
  fields: tagFields,
});

export const workshopBike = defineModel('workshop.bike', {
  label: 'Bike',
  order: 'order_of_work, name',
  displayName: '{name} ({owner_id.name})',
  indexes: ['owner_id, -bought_on'],
  chatter: { readersComment: true },
  mail: { alias: 'bikes', creates: { name: 'subject', owner_id: 'contact', story: 'body' } },
  fields: bikeFields,
  computes: {
    service_every: {
      depends: ['is_electric', 'owner_id.is_company'],
      value: (bike, { isNew, changed }) => {
        if (!isNew && !changed('is_electric')) return undefined;
        return bike.is_electric || bike.owner_id?.is_company ? 6 : 12;
      },
    },
    taken_in: {
      depends: [],
      value: (_bike, { isNew, user, company, today, tz, now, registry }) => {
        if (!isNew || user === null) return undefined;
        const what = registry.models.get('workshop.bike')?.label;
        return `${what} taken in on ${today} in ${tz}, at ${now.slice(11, 16)} UTC, by ${user.id} for ${company?.id ?? 'nobody'}`;
      },
    },
    repair_count: { count: 'repair_ids' },
    spent: { sum: 'repair_ids.total', asServer: 'What a bike has cost depends on all its repairs.' },
    last_done: { max: 'repair_ids.finished_at' },
    first_due: { min: 'repair_ids.date_due' },
    load_left: { formula: 'load_limit - weight' },
    is_warranted: {
      depends: ['bought_on'],
      changes: 'daily',
      value: ({ bought_on: since }, { today: day }) => since !== null && addMonths(since, 24) >= day,
    },
    age: {
      depends: ['bought_on'],
      value: (bike) => (bike.bought_on && bike.bought_on < '2020' ? 'old' : 'young'),
      search: (operator, value) => [['bought_on', (operator === '=') === (value === 'old') ? '<' : '>=', '2020-01-01']],
    },
  },
  onchange: {
    owner_id: {
      byHand: true,
      reads: ['owner_id.city', 'owner_id.comment'],
      value: (draft) => ({
        answer: {
          value: { color: draft.color ?? 'black' },
          domain: { rider_ids: [['city', '=', draft.owner_id?.city ?? null]] },
          ...(draft.owner_id?.comment && { warning: { title: 'Note', message: draft.owner_id.comment } }),
        },
      }),
    },
  },
  constraints: {
    light_enough: {
      on: ['weight', 'kind'],
      reads: ['owner_id.is_company'],
      holds: (bike) => (bike.weight ?? 0) <= 80 || bike.kind === 'cargo' || bike.owner_id.is_company,
      message: 'Only cargo bikes weigh more than 80 kg.',
      field: 'weight',
      serialize: ['owner_id'],
    },
    worth_something: { formula: 'isempty(value) or value >= 0', message: 'A bike is not worth less than nothing.' },
  },
  uniques: {
    one_name: {
      fields: ['owner_id', 'name'],
      where: [['kind', '!=', 'cargo']],
      message: 'The owner has a bike of this name.',
    },
  },
});
