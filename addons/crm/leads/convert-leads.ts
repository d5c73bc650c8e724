import { type ActionCall, type Env, fields, type Loaded, open, text, UserError } from '@kontor/addon';

export const convertAsks = {
  customer: fields.selection(
    { find: 'Find or create the customer', none: 'Leave it without a customer' },
    { label: 'Customer', default: 'find' },
  ),
};
type Call = ActionCall<'crm.lead', typeof convertAsks>;

const paths = [
  'name',
  'type',
  'state',
  'partner_id.id',
  'partner_name',
  'contact_name',
  'job_position',
  'email_from',
  'phone',
  'website',
  'street',
  'zip',
  'city',
  'country_id.id',
  'company_id.id',
  'user_id.id',
] as const;
type Lead = Loaded<'crm.lead', (typeof paths)[number]>;

export async function convertLeads({ env, records, answers }: Call) {
  const leads = await records.load(...paths);
  for (const lead of leads) refuse(lead);
  for (const lead of leads) {
    const partnerId = lead.partner_id?.id ?? (answers.customer === 'none' ? null : await customerOf(env, lead));
    await env.model('crm.lead').write([lead.id], { type: 'opportunity', partner_id: partnerId });
  }
  const [only] = records.ids;
  if (records.ids.length !== 1) return undefined;
  return only === undefined ? undefined : open('crm.lead', { view: 'form', id: only });
}

function refuse({ name, type, state }: Lead): void {
  if (type === 'opportunity') throw new UserError(text('"{name}" is an opportunity already.', { name }));
  if (state !== 'open') throw new UserError(text('"{name}" was lost. Restore it before you convert it.', { name }));
}

/** A contact with the same e-mail, or else a new one: the person, under their company if there is one. */
async function customerOf(env: Env, lead: Lead): Promise<number | null> {
  const partners = env.model('core.partner');
  if (lead.email_from) {
    const [known] = await partners.search(
      [
        ['email', '=ilike', escapePattern(lead.email_from.trim())],
        ['active', '=', true],
      ],
      { limit: 1, order: 'id' },
    );
    if (known !== undefined) return known;
  }
  const { contact_name: person, partner_name: firm } = lead;
  if (!person && !firm && !lead.email_from) return null;
  const firmId = firm ? await companyOf(env, lead, firm) : null;
  if (!person && firmId !== null) return firmId;
  return partners.create({
    // With that of the company: what is sent and invoiced to the person names it.
    ...addressOf(lead),
    name: person ?? lead.email_from ?? lead.name,
    job_position: lead.job_position,
    email: lead.email_from,
    phone: lead.phone,
    parent_id: firmId,
    user_id: lead.user_id?.id ?? null,
  });
}

async function companyOf(env: Env, lead: Lead, name: string): Promise<number> {
  const partners = env.model('core.partner');
  const [known] = await partners.search(
    [
      ['name', '=ilike', escapePattern(name.trim())],
      ['is_company', '=', true],
      ['active', '=', true],
    ],
    { limit: 1, order: 'id' },
  );
  if (known !== undefined) return known;
  const contact = lead.contact_name ? {} : { email: lead.email_from, phone: lead.phone };
  return partners.create({
    ...addressOf(lead),
    ...contact,
    name: name.trim(),
    is_company: true,
    website: lead.website,
    user_id: lead.user_id?.id ?? null,
  });
}

function addressOf({ street, zip, city, country_id: country }: Lead) {
  return { street, zip, city, country_id: country?.id ?? null };
}

/** `=ilike` takes its value as a pattern. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
