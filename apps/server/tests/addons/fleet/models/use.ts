import { currentCompany, currentUser, Decimal, defineModel, type FieldsOf, fields, today } from '@kontor/addon';

const tagFields = { name: fields.char({ required: true, unique: true }), color: fields.integer({ min: 0, max: 11 }) };
const depotFields = {
  name: fields.char({ required: true }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  parent_id: fields.many2one('fleet.depot', { label: 'Part of' }),
  vehicle_ids: fields.one2many('fleet.vehicle', 'depot_id'),
};
const odometerFields = {
  vehicle_id: fields.many2one('fleet.vehicle', { required: true, ondelete: 'cascade' }),
  date: fields.date({ required: true, default: today }),
  km: fields.integer({ required: true, min: 0 }),
};
const fuelFields = {
  vehicle_id: fields.many2one('fleet.vehicle', { required: true, ondelete: 'cascade' }),
  date: fields.date({ required: true, default: today }),
  litres: fields.decimal({ precision: [8, 2], required: true }),
  price: fields.monetary({ currency: 'currency_id', required: true, label: 'Price per litre' }),
  currency_id: fields.related('vehicle_id.company_id.currency_id'),
  total: fields.monetary({ currency: 'currency_id', computed: true, stored: true }),
};
const damageFields = {
  name: fields.char({ required: true, label: 'What happened' }),
  vehicle_id: fields.many2one('fleet.vehicle', { required: true }),
  company_id: fields.related('vehicle_id.company_id', { stored: true }),
  user_id: fields.many2one('core.user', { label: 'Responsible', default: currentUser }),
  severity: fields.selection({ low: 'Low', high: 'High' }, { required: true, default: 'low' }),
  photo: fields.image({}),
  due_on: fields.date({ label: 'Repair until' }),
  is_open: fields.boolean({ default: true, label: 'Open' }),
};
const inspectionFields = {
  vehicle_id: fields.many2one('fleet.vehicle', { required: true }),
  company_id: fields.related('vehicle_id.company_id', { stored: true }),
  date_due: fields.date({ required: true, label: 'Due' }),
  state: fields.selection({ planned: 'Planned', passed: 'Passed', failed: 'Failed' }, { default: 'planned' }),
  is_near: fields.boolean({ label: 'Due soon', readonly: true }),
};

export interface FleetTag extends FieldsOf<typeof tagFields> {}
export interface FleetDepot extends FieldsOf<typeof depotFields> {}
export interface FleetOdometer extends FieldsOf<typeof odometerFields> {}
export interface FleetFuel extends FieldsOf<typeof fuelFields> {}
export interface FleetDamage extends FieldsOf<typeof damageFields> {}
export interface FleetInspection extends FieldsOf<typeof inspectionFields> {}
declare module '@kontor/addon' {
  interface Models {
    'fleet.tag': FleetTag;
    'fleet.depot': FleetDepot;
    'fleet.odometer': FleetOdometer;
    'fleet.fuel': FleetFuel;
    'fleet.damage': FleetDamage;
    'fleet.inspection': FleetInspection;
  }
}

export const fleetTag = defineModel('fleet.tag', { noCompany: 'Tags are words.', fields: tagFields });
export const fleetDepot = defineModel('fleet.depot', { fields: depotFields });
export const fleetOdometer = defineModel('fleet.odometer', {
  fields: odometerFields,
  displayName: '{date}: {km}',
  order: '-date, -id',
});
export const fleetFuel = defineModel('fleet.fuel', {
  fields: fuelFields,
  displayName: '{date}',
  order: '-date, -id',
  computes: {
    total: { depends: ['litres', 'price'], value: ({ litres, price }) => new Decimal(price ?? 0).times(litres ?? 0) },
  },
});
export const fleetDamage = defineModel('fleet.damage', {
  fields: damageFields,
  order: '-id',
  due: { label: 'Damages', icon: 'wrench', date: 'due_on', by: 'user_id', open: [['is_open', '=', true]] },
});
export const fleetInspection = defineModel('fleet.inspection', {
  fields: inspectionFields,
  displayName: '{vehicle_id.name}, {date_due}',
  order: 'date_due',
  indexes: ['date_due'],
  states: { field: 'state', initial: 'planned' },
  moves: {
    pass: { from: 'planned', to: 'passed', label: 'Passed', sets: { is_near: false } },
    fail: { from: 'planned', to: 'failed', label: 'Failed', danger: true },
  },
});
