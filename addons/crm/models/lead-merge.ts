import { type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/addon';
import { furthestFirst, mergePaths } from '../leads/merge-leads.ts';

const mergeFields = {
  lead_ids: fields.many2many('crm.lead', { label: 'Leads', required: true }),
  keep_id: fields.many2one('crm.lead', { label: 'Keep', required: true, ondelete: 'cascade' }),
};

export interface CrmLeadMerge extends FieldsOf<typeof mergeFields> {}
export interface CrmLeadMergeCalls extends CallsOf<typeof crmLeadMerge> {}
declare module '@kontor/addon' {
  interface Models {
    'crm.lead.merge': CrmLeadMerge;
  }
  interface Calls {
    'crm.lead.merge': CrmLeadMergeCalls;
  }
}

/** The dialog that asks which of the chosen leads stays; it proposes the one that is furthest. */
export const crmLeadMerge = defineModel('crm.lead.merge', {
  label: 'Merge leads',
  transient: true,
  fields: mergeFields,
  onchange: {
    lead_ids: {
      reads: mergePaths.map((path) => `lead_ids.${path}` as const),
      value: ({ lead_ids: leads }) => {
        const chosen = [['id', 'in', leads.map((lead) => lead.id)]] as const;
        const keep = furthestFirst(leads)[0]?.id;
        return { answer: { value: { keep_id: keep }, domain: { keep_id: chosen } } };
      },
    },
  },
  actions: {
    async merge({ env, records }) {
      const [asked] = await records.load('lead_ids.id', 'keep_id.id');
      if (asked === undefined) return undefined;
      const ids = asked.lead_ids.map((lead) => lead.id);
      return env.model('crm.lead').call(ids, 'merge', { keep: asked.keep_id.id });
    },
  },
});
