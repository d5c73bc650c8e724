import { currentCompany, defineModel, type FieldsOf, fields } from '@kontor/addon';

const licenceFields = { name: fields.char({ required: true, label: 'Class', unique: true, size: 4 }) };
const driverFields = {
  partner_id: fields.many2one('core.partner', { required: true, label: 'Person' }),
  phone: fields.char({ from: 'partner_id.phone', personal: true }),
  licence_ids: fields.many2many('fleet.licence', { label: 'Licences' }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  assignment_ids: fields.one2many('fleet.assignment', 'driver_id'),
};
const assignmentFields = {
  vehicle_id: fields.many2one('fleet.vehicle', { required: true }),
  driver_id: fields.many2one('fleet.driver', { required: true, ondelete: 'cascade' }),
  date_from: fields.date({ required: true }),
  date_to: fields.date({}),
};

export interface FleetLicence extends FieldsOf<typeof licenceFields> {}
export interface FleetDriver extends FieldsOf<typeof driverFields> {}
export interface FleetAssignment extends FieldsOf<typeof assignmentFields> {}
declare module '@kontor/addon' {
  interface Models {
    'fleet.licence': FleetLicence;
    'fleet.driver': FleetDriver;
    'fleet.assignment': FleetAssignment;
  }
}

export const fleetLicence = defineModel('fleet.licence', {
  noCompany: 'Classes are law, the same for all.',
  fields: licenceFields,
});
export const fleetDriver = defineModel('fleet.driver', { fields: driverFields, displayName: '{partner_id.name}' });
export const fleetAssignment = defineModel('fleet.assignment', {
  fields: assignmentFields,
  displayName: '{vehicle_id.name}, {date_from}',
  excludes: {
    once: { same: ['vehicle_id'], range: ['date_from', 'date_to'], message: 'Somebody drives it on these days.' },
  },
});
