import { type ActionCall, anyModel, isMailAddress, queueMail, UserError } from '@kontor/addon';
import { domainOf } from './audience.ts';
import { addressesFor } from './list-recipients.ts';
import { mailingMail } from './send-next.ts';

/** The mailing as the first of its audience would get it, to oneself. */
export async function sendTest({ env, records }: ActionCall<'mailing.mailing'>): Promise<void> {
  const mailing = await records.only('model', 'domain', 'address_path', 'subject', 'body', 'lang', 'company_id.id');
  // As the server: one's own address.
  const [me] = await env.sudo().model('core.user').read([env.uid], ['email']);
  const email = me?.email?.trim().toLowerCase() ?? '';
  if (!isMailAddress(email)) throw new UserError('You have no e-mail address. Add one to your profile.');
  const [first] = await anyModel(env, mailing.model).search(domainOf(mailing), { order: 'id', limit: 1 });
  if (first === undefined) throw new UserError('Nobody in the audience has an address.');
  const [address] = await addressesFor(env.sudo(), [email]);
  if (!address) return;
  const mail = await mailingMail(env, { ...mailing, resId: first, companyId: mailing.company_id.id }, address);
  if (!(await queueMail(env, mail))) throw new UserError('No mail server is set up.');
}
