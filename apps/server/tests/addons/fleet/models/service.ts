import {
  type CallsOf,
  currentCompany,
  Decimal,
  defineModel,
  type FieldsOf,
  fields,
  now,
  sequence,
  today,
} from '@kontor/addon';

const partFields = {
  name: fields.char({ required: true }),
  price: fields.monetary({ currency: 'currency_id' }),
  currency_id: fields.related('company_id.currency_id'),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  replaces_ids: fields.many2many('fleet.part', { label: 'Replaces' }),
  supplier_id: fields.many2one('fleet.supplier'),
};
const supplierFields = {
  partner_id: fields.many2one('core.partner', { required: true, unique: true }),
  days: fields.integer({ label: 'Delivery in days', default: 3 }),
};
const serviceFields = {
  name: fields.char({ required: true, readonly: true, default: sequence('fleet.service'), label: 'Number' }),
  vehicle_id: fields.many2one('fleet.vehicle', { required: true }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  currency_id: fields.related('company_id.currency_id'),
  date: fields.date({ required: true, default: today }),
  state: fields.selection({ draft: 'Draft', done: 'Done' }, { tracking: true }),
  done_at: fields.datetime({ readonly: true }),
  line_ids: fields.one2many('fleet.service.line', 'service_id', { label: 'Parts' }),
  total: fields.monetary({ computed: true, stored: true, currency: 'currency_id' }),
};
const lineFields = {
  service_id: fields.many2one('fleet.service', { required: true, ondelete: 'cascade' }),
  part_id: fields.many2one('fleet.part', { required: true }),
  quantity: fields.decimal({ precision: [8, 2], required: true, default: '1' }),
  price: fields.monetary({ from: 'part_id.price', currency: 'service_id.currency_id' }),
  subtotal: fields.monetary({ computed: true, stored: true, currency: 'service_id.currency_id' }),
};

export interface FleetPart extends FieldsOf<typeof partFields> {}
export interface FleetSupplier extends FieldsOf<typeof supplierFields> {}
export interface FleetService extends FieldsOf<typeof serviceFields> {}
export interface FleetServiceLine extends FieldsOf<typeof lineFields> {}
export interface FleetServiceCalls extends CallsOf<typeof fleetService> {}
declare module '@kontor/addon' {
  interface Models {
    'fleet.part': FleetPart;
    'fleet.supplier': FleetSupplier;
    'fleet.service': FleetService;
    'fleet.service.line': FleetServiceLine;
  }
  interface Calls {
    'fleet.service': FleetServiceCalls;
  }
}

export const fleetPart = defineModel('fleet.part', {
  fields: partFields,
  acyclic: { replaces: { over: ['replaces_ids'], message: 'A part cannot replace itself.' } },
});
export const fleetSupplier = defineModel('fleet.supplier', {
  noCompany: 'Suppliers deliver to all companies.',
  fields: supplierFields,
  displayName: '{partner_id.name}',
});
export const fleetService = defineModel('fleet.service', {
  label: 'Service',
  fields: serviceFields,
  order: '-id',
  computes: { total: { sum: 'line_ids.subtotal' } },
  states: {
    field: 'state',
    initial: 'draft',
    removable: ['draft'],
    locks: { done: 'all' },
    conditions: {
      has_lines: {
        reads: ['line_ids'],
        holds: ({ line_ids: lines }) => lines.length > 0,
        message: 'Add a part first.',
      },
    },
  },
  moves: { finish: { from: 'draft', to: 'done', label: 'Finish', needs: ['has_lines'], sets: { done_at: now } } },
});
export const fleetServiceLine = defineModel('fleet.service.line', {
  fields: lineFields,
  displayName: '{part_id.name}',
  computes: {
    subtotal: {
      depends: ['quantity', 'price'],
      value: ({ quantity, price }) => new Decimal(price ?? 0).times(quantity ?? 0),
    },
  },
});
