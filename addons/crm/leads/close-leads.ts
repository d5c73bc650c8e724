import { postComment } from '@addons/mail';
import { type ActionCall, UserError } from '@kontor/addon';

type Call = ActionCall<'crm.lead'>;

export async function winLeads({ env, records }: Call): Promise<void> {
  await env.model('crm.lead').write(records.ids, { state: 'won' });
}

export async function loseLeads({ env, records, params }: Call): Promise<void> {
  const given = params.lost_reason_id;
  if (given !== undefined && !/^\d{1,9}$/.test(given)) throw new UserError('The lost reason must be given by its id.');
  const reason = given === undefined ? {} : { lost_reason_id: Number(given) };
  await env.model('crm.lead').write(records.ids, { ...reason, state: 'lost' });
  const note = params.note?.trim();
  if (note) for (const id of records.ids) await postComment(env, { model: 'crm.lead', id }, note);
}

/** Archived leads come back as well: who restores one wants to work on it. */
export async function restoreLeads({ env, records }: Call): Promise<void> {
  await env.model('crm.lead').write(records.ids, { state: 'open', active: true });
}
