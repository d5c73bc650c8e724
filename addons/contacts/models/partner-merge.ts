import { type CallsOf, defineModel, type FieldsOf, fields } from '@kontor/addon';

const mergeFields = {
  partner_ids: fields.many2many('core.partner', { label: 'Contacts', required: true }),
  keep_id: fields.many2one('core.partner', { label: 'Keep', required: true, ondelete: 'cascade' }),
};

export interface CorePartnerMerge extends FieldsOf<typeof mergeFields> {}
export interface CorePartnerMergeCalls extends CallsOf<typeof partnerMerge> {}
declare module '@kontor/addon' {
  interface Models {
    'core.partner.merge': CorePartnerMerge;
  }
  interface Calls {
    'core.partner.merge': CorePartnerMergeCalls;
  }
}

/** The dialog that asks which of the chosen contacts stays; it proposes the one that is there longest. */
export const partnerMerge = defineModel('core.partner.merge', {
  label: 'Merge contacts',
  transient: true,
  fields: mergeFields,
  onchange: {
    partner_ids: {
      reads: ['partner_ids.active'],
      value: ({ partner_ids: partners }) => {
        const chosen = [
          ['id', 'in', partners.map((partner) => partner.id)],
          ['active', 'in', [true, false]],
        ] as const;
        const [keep] = partners.toSorted((a, b) => Number(b.active) - Number(a.active) || a.id - b.id);
        return { answer: { value: { keep_id: keep?.id }, domain: { keep_id: chosen } } };
      },
    },
  },
  actions: {
    async merge({ env, records }) {
      const [asked] = await records.load('partner_ids.id', 'keep_id.id');
      if (asked === undefined) return undefined;
      const ids = asked.partner_ids.map((partner) => partner.id);
      return env.model('core.partner').call(ids, 'merge', { keep: asked.keep_id.id });
    },
  },
});
