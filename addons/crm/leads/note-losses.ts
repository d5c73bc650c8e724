import { postComment } from '@addons/mail';
import { type ActionCall, fields } from '@kontor/addon';

export const lossAsks = {
  lost_reason_id: fields.many2one('crm.lost.reason', { label: 'Lost reason' }),
  note: fields.text(),
};

/** What was said of a loss stands in the discussion of each lead. */
export async function noteLosses({ env, records, answers }: ActionCall<'crm.lead', typeof lossAsks>): Promise<void> {
  const note = answers.note?.trim();
  if (note) for (const id of records.ids) await postComment(env, { model: 'crm.lead', id }, note);
}
