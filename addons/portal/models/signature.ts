import '@addons/base';
import { defineModel, type FieldsOf, fields, UserError } from '@kontor/addon';

const signatureFields = {
  model: fields.char({ required: true, size: 128, names: 'model' }),
  res_id: fields.integer({ label: 'Record', required: true }),
  partner_id: fields.many2one('core.partner', { label: 'Contact' }),
  name: fields.char({ label: 'Signed by', required: true, size: 100, personal: true }),
  picture: fields.image({ label: 'Signature', required: true, personal: true }),
  number: fields.integer({
    required: true,
    min: 1,
    aggregate: 'none',
    help: 'The first signature under the record, the second …',
  }),
  signed_at: fields.datetime({ label: 'Signed on', required: true }),
  address: fields.char({ label: 'Network address', size: 64, personal: true }),
  content: fields.json({ label: 'What was signed', required: true, personal: true }),
  sha256: fields.char({ label: 'SHA-256', required: true, size: 64 }),
};
export interface PortalSignature extends FieldsOf<typeof signatureFields> {}
declare module '@kontor/addon' {
  interface Models {
    'portal.signature': PortalSignature;
  }
}

/** A customer's signature under what they saw. Only the server makes it, and nobody changes it. It has no access rows. */
export const portalSignature = defineModel('portal.signature', {
  label: 'Signature',
  noCompany: 'A signature has the rules of the record that was signed.',
  order: '-id',
  displayName: '{name}',
  quiet: true,
  fields: signatureFields,
  // Two who sign at the same moment sign with the same number, and the second is refused.
  uniques: { one_at_a_time: { fields: ['model', 'res_id', 'number'], message: 'This was signed a moment ago.' } },
  indexes: ['model, res_id, -id'],
  hooks: {
    on: ['model', 'res_id', 'signed_at', 'sha256'],
    beforeWrite: () => Promise.reject(new UserError('A signature stays as it was given.')),
  },
});
