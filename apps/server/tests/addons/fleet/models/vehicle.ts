import { type CallsOf, currentCompany, defineModel, type FieldsOf, fields } from '@kontor/addon';

const brandFields = {
  name: fields.char({ required: true, unique: true, size: 80 }),
  type_ids: fields.one2many('fleet.type', 'brand_id'),
  types: fields.integer({ label: 'Number of types', computed: true }),
};
const typeFields = {
  name: fields.char({ required: true, size: 80 }),
  brand_id: fields.many2one('fleet.brand', { required: true }),
  fuel: fields.selection({ diesel: 'Diesel', petrol: 'Petrol', electric: 'Electric' }, { default: 'diesel' }),
  seats: fields.integer({ default: 2, min: 1, max: 90 }),
};
const vehicleFields = {
  name: fields.char({ label: 'Plate', required: true, size: 12 }),
  type_id: fields.many2one('fleet.type', { required: true, label: 'Type' }),
  brand_id: fields.related('type_id.brand_id', { label: 'Brand', stored: true }),
  seats: fields.integer({ from: 'type_id.seats' }),
  depot_id: fields.many2one('fleet.depot', { label: 'Depot' }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  currency_id: fields.many2one('core.currency', { related: 'company_id.currency_id' }),
  tag_ids: fields.many2many('fleet.tag', { label: 'Tags' }),
  bought_on: fields.date({ label: 'Bought' }),
  price: fields.monetary({ currency: 'currency_id' }),
  note: fields.text({ label: 'Notes' }),
  state: fields.selection(
    { ready: 'Ready', shop: 'In the workshop', sold: 'Sold' },
    { default: 'ready', tracking: true },
  ),
  odometer_ids: fields.one2many('fleet.odometer', 'vehicle_id', { label: 'Readings' }),
  fuel_ids: fields.one2many('fleet.fuel', 'vehicle_id', { label: 'Fuel' }),
  km: fields.integer({ label: 'Kilometres', computed: true, stored: true }),
  fuel_cost: fields.monetary({ computed: true, stored: true, currency: 'currency_id' }),
  title: fields.char({ computed: true }),
};

export interface FleetBrand extends FieldsOf<typeof brandFields> {}
export interface FleetType extends FieldsOf<typeof typeFields> {}
export interface FleetVehicle extends FieldsOf<typeof vehicleFields> {}
export interface FleetVehicleCalls extends CallsOf<typeof fleetVehicle> {}
declare module '@kontor/addon' {
  interface Models {
    'fleet.brand': FleetBrand;
    'fleet.type': FleetType;
    'fleet.vehicle': FleetVehicle;
  }
  interface Calls {
    'fleet.vehicle': FleetVehicleCalls;
  }
}

export const fleetBrand = defineModel('fleet.brand', {
  noCompany: 'Brands are the same for all companies.',
  fields: brandFields,
  order: 'name',
  computes: { types: { count: 'type_ids' } },
});

export const fleetType = defineModel('fleet.type', {
  noCompany: 'Types are the same for all companies.',
  fields: typeFields,
  displayName: '{brand_id.name} {name}',
  uniques: { once: { fields: ['brand_id', 'name'], message: 'This brand has a type of that name.' } },
});

export const fleetVehicle = defineModel('fleet.vehicle', {
  label: 'Vehicle',
  fields: vehicleFields,
  order: 'name',
  chatter: {},
  indexes: ['name'],
  computes: {
    km: { max: 'odometer_ids.km' },
    fuel_cost: { sum: 'fuel_ids.total' },
    title: {
      depends: ['name', 'type_id.name'],
      value: ({ name, type_id: type }) => [name, type?.name].filter(Boolean).join(', '),
    },
  },
  uniques: {
    plate: {
      fields: ['name', 'company_id'],
      where: [['state', '!=', 'sold']],
      message: 'A vehicle with this plate exists.',
    },
  },
  normalise: { plate: { on: ['name'], value: ({ name }) => ({ name: name?.toUpperCase().replaceAll(' ', '-') }) } },
  constraints: {
    date: {
      on: ['bought_on', 'state'],
      holds: ({ bought_on: day, state }) => state !== 'sold' || day !== null,
      message: 'Enter when it was bought before it is sold.',
      field: 'bought_on',
    },
  },
  states: { field: 'state', initial: 'ready', removable: ['ready'], locks: { sold: 'all' } },
  moves: {
    repair: { from: 'ready', to: 'shop', label: 'To the workshop', icon: 'wrench' },
    release: { from: 'shop', to: 'ready', label: 'Release' },
    sell: { from: ['ready', 'shop'], to: 'sold', label: 'Sell', warns: 'Sell this vehicle?' },
  },
  actions: {
    drive: {
      label: 'Enter kilometres',
      asks: { km: fields.integer({ required: true, label: 'Kilometres', min: 0 }) },
      run: async ({ env, records, answers }) => {
        const rows = records.ids.map((id) => ({ vehicle_id: id, km: answers.km }));
        await env.model('fleet.odometer').createMany(rows);
      },
    },
  },
});
