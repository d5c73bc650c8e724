import { imageType, looseEnv } from '@kontor/orm';
import type { Env } from '@kontor/orm/author';

/** What surrounds the e-mails of a company to people outside: its letterhead. */
export interface MailFrame {
  readonly name: string;
  readonly logo: { readonly content: Buffer; readonly contentType: string } | null;
  /** `#rrggbb`. */
  readonly colour: string;
  readonly website: string | null;
  /** Address, ways to reach the company, and what the law asks for; plain text. */
  readonly lines: readonly string[];
}

export const usualColour = '#0e6273';
/** It goes out with every e-mail; a larger one is for printing. */
const mostLogoBytes = 150_000;
/** Outlook shows no WebP. */
const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif']);

const paths = [
  ...['name', 'logo', 'email', 'phone', 'website', 'street', 'street2', 'zip', 'city', 'country_id.display_name'],
  ...['vat', 'registration', 'mail_colour', 'mail_footer'],
];

/**
 * The frame of a company for `composeMail`, in the language of the recipient; null without a company.
 * ```ts
 * export async function news(env: Env, to: string, companyId: number, said: { subject: string; paragraphs: readonly string[] }) {
 *   return composeMail({ ...said, to, frame: await companyFrame(env, companyId) });
 * }
 * ```
 */
export async function companyFrame(
  given: Env,
  companyId: number | null,
  lang?: string | null,
): Promise<MailFrame | null> {
  if (companyId === null) return null;
  // As the server: senders may not read every company, but a letterhead is known to whoever gets a letter.
  const server = looseEnv(given).sudo();
  const env = lang ? server.inLanguage(lang) : server;
  const [company] = await env.model('core.company').searchRead([['id', '=', companyId]], paths);
  if (!company) return null;
  const said = (name: string) => (typeof company[name] === 'string' ? company[name].trim() : '');
  const line = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ');
  const place = [said('zip'), said('city')].filter((part) => part !== '').join(' ');
  const address = line(said('name'), said('street'), said('street2'), place, said('country_id.display_name'));
  const footer = said('mail_footer');
  const legal =
    footer === '' ? [line(said('registration'), said('vat'))] : footer.split('\n').map((each) => each.trim());
  return {
    name: said('name'),
    logo: logoOf(said('logo')),
    colour: said('mail_colour') || usualColour,
    website: /^https?:\/\//.test(said('website')) ? said('website') : null,
    lines: [address, line(said('phone'), said('email'), said('website')), ...legal].filter((each) => each !== ''),
  };
}

function logoOf(base64: string): MailFrame['logo'] {
  if (base64 === '') return null;
  const content = Buffer.from(base64, 'base64');
  const contentType = imageType(content);
  if (contentType === null || !shownTypes.has(contentType) || content.byteLength > mostLogoBytes) return null;
  return { content, contentType };
}
