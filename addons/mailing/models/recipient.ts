import { defineModel, type FieldsOf, fields, queueFields, queueIndexes } from '@kontor/addon';

const own = { readonly: true, copy: false } as const;
const flag = (label: string) => fields.integer({ label, required: true, default: 0, min: 0, max: 1, ...own });

const recipientFields = {
  mailing_id: fields.many2one('mailing.mailing', { label: 'Mailing', required: true, ondelete: 'cascade', ...own }),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, ...own }),
  address_id: fields.many2one('mailing.address', {
    label: 'Address',
    required: true,
    ondelete: 'cascade',
    index: true,
    ...own,
  }),
  model: fields.char({ names: 'model', required: true, size: 128, ...own }),
  res_id: fields.integer({ label: 'Record', required: true, aggregate: 'none', ...own }),
  name: fields.char({ personal: true, size: 300, ...own }),
  sent_at: fields.datetime({ label: 'Sent on', ...own }),
  mail_key: fields.char({
    ...{ personal: false },
    size: 64,
    index: true,
    ...own,
    help: 'The first part of the Message-ID.',
  }),
  sent: flag('Sent'),
  failed: flag('Given up'),
  bounced: flag('Not delivered'),
  answered: flag('Answered'),
  opted_out: flag('Opted out'),
  left_out: flag('Left out'),
  left_out_for: fields.selection(
    {
      opted_out: 'Opted out',
      bounced: 'Earlier mail came back',
      gone: 'No longer in the audience',
      address: 'Another address now',
    },
    { label: 'Left out because', ...own },
  ),
  settled: fields.boolean({ ...own, help: 'The mail server has it, or it was given up.' }),
  ...queueFields,
};
export interface MailingRecipient extends FieldsOf<typeof recipientFields> {}
declare module '@kontor/addon' {
  interface Models {
    'mailing.recipient': MailingRecipient;
  }
}

/** Somebody who gets a mailing; a row of the queue that sends it. */
export const mailingRecipient = defineModel('mailing.recipient', {
  label: 'Recipient',
  order: 'id',
  displayName: '{address_id}',
  closedToAgents: true,
  quiet: true,
  fields: recipientFields,
  uniques: { once: { fields: ['mailing_id', 'address_id'], message: 'This address gets the mailing already.' } },
  indexes: [...queueIndexes, 'company_id, sent_at', 'settled, id'],
});
