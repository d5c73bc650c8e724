import { postComment } from '@addons/mail';
import { type ActionCall, fields, notify, open, UserError } from '@kontor/addon';

const model = 'crm.lead';
export const handOverAsks = {
  user_id: fields.many2one('core.user', { label: 'Colleague' }),
  note: fields.text(),
};

/**
 * Gives leads to a colleague, out of one's own sight where the rules say so. A plain write may not do that: it takes the
 * right to change them now, and says to the colleague that they are theirs.
 */
export async function handOver({ env, records, answers }: ActionCall<'crm.lead', typeof handOverAsks>) {
  const userId = answers.user_id ?? 0;
  const server = env.sudo();
  const [colleague] = await server.model('core.user').searchRead([['id', '=', userId]], ['active', 'company_ids']);
  if (!colleague?.active) throw new UserError('Choose the colleague who takes over.');
  const leads = await records.load('name', 'company_id.id');
  if (leads.some((lead) => !colleague.company_ids.some((id) => id === lead.company_id.id))) {
    throw new UserError('Your colleague does not work in the company of this lead.');
  }
  const note = answers.note?.trim();
  if (note) for (const id of records.ids) await postComment(env, { model, id }, note);
  await server.model(model).write(records.ids, { user_id: userId });
  if (userId !== env.uid) {
    const title = leads.length === 1 ? `${leads[0]?.name}` : `${leads.length} × ${env.registry.model(model).label}`;
    await notify(env, userId, { kind: 'info', title, body: note ?? '' });
  }
  const seen = await env.model(model).search([['id', 'in', records.ids]]);
  return seen.length === records.ids.length ? undefined : open(model, { action: 'crm.pipeline' });
}
