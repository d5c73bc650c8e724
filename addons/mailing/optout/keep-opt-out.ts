import type { Env } from '@kontor/addon';

/**
 * Keeps what the owner of an address wants, and shows it at the contacts with the address. As the server: they are not signed in, and
 * an opt-out holds for contacts that the caller may not see as well.
 */
export async function keepOptOut(env: Env, email: string, isOut: boolean, reason: string): Promise<void> {
  const server = env.sudo();
  const at = isOut ? env.now.toISOString() : null;
  const addresses = await server.model('mailing.address').search([['email', '=', email]]);
  await server.model('mailing.address').write(addresses, { opted_out_at: at, reason: reason.slice(0, 300) });
  const partners = await server
    .model('core.partner')
    .search([['email', '=ilike', email.replaceAll(/[\\%_]/g, '\\$&')]]);
  await server.model('core.partner').write(partners, { mailing_opted_out_at: at });
}

/** Contacts with another address, or new ones. As the server: the opt-out of an address holds, whoever writes the contact. */
export async function markContacts(env: Env, ids: readonly number[]): Promise<void> {
  const partners = env.sudo().model('core.partner');
  const rows = await partners.read(ids, ['email', 'mailing_opted_out_at']);
  const emails = [...new Set(rows.flatMap(({ email }) => (email ? [email.trim().toLowerCase()] : [])))];
  const known = await env
    .sudo()
    .model('mailing.address')
    .searchRead(
      [
        ['email', 'in', emails],
        ['opted_out_at', '!=', null],
      ],
      ['email', 'opted_out_at'],
      { limit: Math.max(1, emails.length) },
    );
  const outAt = new Map(known.map(({ email, opted_out_at: at }) => [email, at]));
  for (const { id, email, mailing_opted_out_at: before } of rows) {
    const at = outAt.get(email?.trim().toLowerCase() ?? '') ?? null;
    if (at !== before) await partners.write([id], { mailing_opted_out_at: at });
  }
}
