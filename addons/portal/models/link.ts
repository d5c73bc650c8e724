import '@addons/base';
import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const linkFields = {
  kind: fields.selection(
    { document: 'Link', preview: 'Preview', sign_in: 'Sign-in', session: 'Session' },
    { required: true, default: 'document' },
  ),
  model: fields.char({
    size: 128,
    names: 'model',
    help: 'Empty for an account, which shows all documents of a contact.',
  }),
  res_id: fields.integer({ label: 'Record' }),
  partner_id: fields.many2one('core.partner', { label: 'Contact', required: true, ondelete: 'cascade' }),
  recipient: fields.char({ label: 'Sent to', required: true, size: 320, personal: true }),
  secret_hash: fields.char({ required: true, secret: true, unique: true, size: 64, copy: false }),
  expires_at: fields.datetime({ label: 'Valid until', required: true }),
  revoked_at: fields.datetime({ label: 'Withdrawn on' }),
  first_used_at: fields.datetime({ label: 'First opened' }),
  last_used_at: fields.datetime({ label: 'Last opened' }),
};
export interface PortalLink extends FieldsOf<typeof linkFields> {}
declare module '@kontor/addon' {
  interface Models {
    'portal.link': PortalLink;
  }
}

/**
 * A secret address of a page for a customer. It has no access rows: users who may read the record see its links there, and nobody
 * reads or writes them as records. The secret itself is stored nowhere.
 */
export const portalLink = defineModel('portal.link', {
  label: 'Link for a customer',
  noCompany: 'A link has the rules of the record that it shows.',
  order: '-id',
  displayName: '{recipient}',
  quiet: true,
  fields: linkFields,
  indexes: ['model, res_id, -id'],
});
