import { type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/addon';

const handOverFields = {
  lead_ids: fields.many2many('crm.lead', { label: 'Leads', required: true }),
  user_id: fields.many2one('core.user', {
    label: 'Colleague',
    required: true,
    domain: [['active', '=', true]],
    ondelete: 'cascade',
  }),
  note: fields.text({ help: 'Said in the discussion of each.' }),
};

export interface CrmLeadHandOver extends FieldsOf<typeof handOverFields> {}
export interface CrmLeadHandOverCalls extends CallsOf<typeof crmLeadHandOver> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.lead.hand.over': CrmLeadHandOver;
  }
  interface Calls {
    'crm.lead.hand.over': CrmLeadHandOverCalls;
  }
}

/** The dialog that asks who takes over. */
export const crmLeadHandOver = defineModel('crm.lead.hand.over', {
  label: 'Hand over',
  transient: true,
  fields: handOverFields,
  actions: {
    async hand_over({ env, records }) {
      const [asked] = await records.load('lead_ids.id', 'user_id.id', 'note');
      if (asked === undefined) return undefined;
      const ids = asked.lead_ids.map((lead) => lead.id);
      const params = { user_id: asked.user_id.id, note: asked.note };
      return env.model('crm.lead').call(ids, 'hand_over', params);
    },
  },
});
