import { type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/addon';

const loseFields = {
  lead_ids: fields.many2many('crm.lead', { label: 'Leads', required: true }),
  lost_reason_id: fields.many2one('crm.lost.reason', { label: 'Lost reason', required: true }),
  note: fields.text({ help: 'Said in the discussion of each.' }),
};

export interface CrmLeadLose extends FieldsOf<typeof loseFields> {}
export interface CrmLeadLoseCalls extends CallsOf<typeof crmLeadLose> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.lead.lose': CrmLeadLose;
  }
  interface Calls {
    'crm.lead.lose': CrmLeadLoseCalls;
  }
}

/** The dialog that asks why something was lost. */
export const crmLeadLose = defineModel('crm.lead.lose', {
  label: 'Mark as lost',
  transient: true,
  fields: loseFields,
  actions: {
    async lose({ env, records }) {
      for (const { lead_ids: leads, lost_reason_id: reason, note } of await records.load(
        'lead_ids.id',
        'lost_reason_id.id',
        'note',
      )) {
        const params = { lost_reason_id: reason.id, note };
        await env.model('crm.lead').call(
          leads.map((lead) => lead.id),
          'lose',
          params,
        );
      }
    },
  },
});
