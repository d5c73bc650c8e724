import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const reasonFields = {
  name: fields.char({ required: true, unique: true, size: 200, translated: true }),
  lead_ids: fields.one2many('crm.lead', 'lost_reason_id', { label: 'Lost' }),
  lead_count: fields.integer({ label: 'How often', computed: true }),
  active: fields.boolean({ default: true }),
};

export interface CrmLostReason extends FieldsOf<typeof reasonFields> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.lost.reason': CrmLostReason;
  }
}

export const crmLostReason = defineModel('crm.lost.reason', {
  label: 'Lost reason',
  noCompany: 'Reasons are shared, so that they can be compared.',
  order: 'name',
  fields: reasonFields,
  computes: { lead_count: { count: 'lead_ids' } },
});
