import { type ActionCall, open, UserError } from '@kontor/addon';

/** Makes a quotation for the customer of the opportunity, by its salesperson, and opens it. */
export async function newQuotation({ env, records }: ActionCall<'crm.lead'>) {
  const lead = await records.only('name', 'type', 'state', 'partner_id', 'user_id', 'company_id');
  if (lead.type !== 'opportunity') throw new UserError('Convert the lead into an opportunity first.');
  if (lead.state === 'lost') throw new UserError('This opportunity is lost. Restore it first.');
  if (lead.partner_id === null) throw new UserError('Choose the customer first: a quotation needs somebody to go to.');
  const id = await env.model('sale.order').create({
    lead_id: lead.id,
    partner_id: lead.partner_id.id,
    user_id: lead.user_id?.id ?? env.uid,
    company_id: lead.company_id.id,
  });
  return open('sale.order', { view: 'form', id, edit: true });
}
