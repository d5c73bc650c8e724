import type { Env, WriteValues } from '@kontor/addon';
import { emailKey, phoneKey } from '../duplicates/match-keys.ts';
import type { Move } from './move-references.ts';

type Lines = Pick<WriteValues<'core.partner'>, 'email_ids' | 'phone_ids'>;

/** The main e-mails and phones of those that go, as further lines of the one that stays. */
export async function keepContactLines(env: Env, { others }: Move): Promise<Lines | null> {
  const rows = await env.model('core.partner').read(others, ['email', 'phone', 'mobile']);
  const emails = rows.flatMap(({ email }) => (emailKey(email) ? [email as string] : []));
  const phones = rows.flatMap(({ phone, mobile }) => [
    ...(phone ? [{ number: phone, kind: 'work' as const }] : []),
    ...(mobile ? [{ number: mobile, kind: 'mobile' as const }] : []),
  ]);
  if (emails.length + phones.length === 0) return null;
  return {
    email_ids: emails.map((address) => ['create', { address }] as const),
    phone_ids: phones.map((phone) => ['create', phone] as const),
  };
}

/** Takes away lines that say what the contact or an earlier line says. */
export async function removeRepeatedLines(env: Env, partnerId: number): Promise<void> {
  const [partner] = await env
    .model('core.partner')
    .load([partnerId], ['email', 'phone', 'mobile', 'country_id.phone_code', 'email_ids.address', 'phone_ids.number']);
  if (!partner) return;
  const code = partner.country_id?.phone_code ?? null;
  const keyOf = (number: string | null) => phoneKey(number, code) ?? number;
  const emails = repeated([partner.email], partner.email_ids, (line) => line.address, emailKey);
  const phones = repeated([partner.phone, partner.mobile], partner.phone_ids, (line) => line.number, keyOf);
  if (emails.length > 0) await env.model('core.partner.email').unlink(emails);
  if (phones.length > 0) await env.model('core.partner.phone').unlink(phones);
}

function repeated<Line extends { readonly id: number }>(
  main: readonly (string | null)[],
  lines: readonly Line[],
  textOf: (line: Line) => string,
  keyOf: (text: string | null) => string | null,
): number[] {
  const seen = new Set(main.map(keyOf));
  return lines
    .filter((line) => {
      const key = keyOf(textOf(line));
      if (seen.has(key)) return true;
      seen.add(key);
      return false;
    })
    .map(({ id }) => id);
}
