import type { Env } from '@kontor/addon';
import type { ParsedMessage } from './parse-message.ts';

/** The values of the record that an e-mail creates, as its model declares them in `mail.creates`. */
export async function createdValues(
  env: Env,
  model: string,
  companyId: number,
  { subject, from, body }: ParsedMessage,
  contact: number | null,
): Promise<Record<string, unknown>> {
  const { mail, fields } = env.registry.model(model);
  const company = fields.get('company_id');
  const parts = {
    subject: subject || from?.name || '?',
    body: body.shown || null,
    sender_name: from?.name ?? null,
    sender_email: from?.address ?? null,
    contact,
  };
  const values: Record<string, unknown> =
    company?.isStored && company.related === null ? { company_id: companyId } : {};
  for (const [name, source] of Object.entries(mail?.creates ?? {})) {
    const value = typeof source === 'string' ? parts[source] : await settingOf(env, companyId, source.field);
    const size = fields.get(name)?.spec.size;
    values[name] = typeof value === 'string' && size !== undefined ? [...value].slice(0, size).join('') : value;
  }
  return values;
}

/** As the server: settings of the company are not the sender's to read. */
async function settingOf(env: Env, companyId: number, field: string): Promise<unknown> {
  const [company] = await env
    .sudo()
    .model('core.company')
    .read([companyId], [field as 'name']);
  return company?.[field as 'name'] ?? null;
}
