import { isMailAddress } from '@kontor/addon';

/** The fields of a contact that are compared with others. */
export interface Comparable {
  readonly name: string;
  readonly isCompany: boolean;
  readonly emails: readonly (string | null)[];
  readonly phones: readonly (string | null)[];
  /** Calling code of the contact's country, `49`. */
  readonly callingCode: string | null;
  /** Addresses and numbers of the person's company, which many people share. */
  readonly shared: { readonly emails: readonly (string | null)[]; readonly phones: readonly (string | null)[] };
}

/** `email:…`, `phone:…` and `name:…`, normalised so that equal values are equal texts. */
export function matchKeys(contact: Comparable): readonly string[] {
  const phoneKeys = (numbers: readonly (string | null)[]) =>
    numbers.map((number) => phoneKey(number, contact.callingCode));
  const sharedEmails = new Set(contact.shared.emails.map(emailKey));
  const sharedPhones = new Set(phoneKeys(contact.shared.phones));
  const emails = contact.emails.map(emailKey).filter((key) => !sharedEmails.has(key));
  const phones = phoneKeys(contact.phones).filter((key) => !sharedPhones.has(key));
  const keys = [
    ...emails.map((key) => key && `email:${key}`),
    ...phones.map((key) => key && `phone:${key}`),
    `name:${nameKey(contact.name, contact.isCompany)}`,
  ];
  return [...new Set(keys.filter((key) => key !== null && !key.endsWith(':')))] as string[];
}

export function emailKey(email: string | null): string | null {
  const text = email?.trim().toLowerCase() ?? '';
  return isMailAddress(text) ? text : null;
}

/** Countries whose numbers keep their leading zero after the calling code. */
const zeroStays: ReadonlySet<string> = new Set(['39', '378', '379']);
const fewestDigits = 6;

/** The number as it is dialled from abroad, as far as the country is known. */
export function phoneKey(number: string | null, callingCode: string | null): string | null {
  // An extension is another telephone at the same place.
  const text = (number ?? '').replace(/(?:ext|x|#).*$/i, '').replace('(0)', '');
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < fewestDigits) return null;
  if (text.trimStart().startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (!callingCode) return digits.replace(/^0/, '');
  if (digits.startsWith(callingCode) && digits.length > 10) return digits;
  return callingCode + (zeroStays.has(callingCode) ? digits : digits.replace(/^0/, ''));
}

const legalForms: ReadonlySet<string> = new Set(
  'ab ag aps as asa bv bvba co company corp corporation doo eg eingetragene gbr gmbh inc incorporated kft kg kk limited llc llp lp ltd mbh nv ohg oy oyj plc pty sa sarl sas se sl spa srl sro ug zoo'.split(
    ' ',
  ),
);

/** Letters and digits without accents; words in any order ("Lovelace, Ada"); companies without their legal form. */
export function nameKey(name: string, isCompany: boolean): string {
  // Removes accents only: the vowel signs of other scripts are also marks, but distinguish names.
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
  const words = plain
    .replaceAll(/[.'’`]/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const told = isCompany ? words.filter((word) => !legalForms.has(word)) : words;
  return (told.length > 0 ? told : words).sort().join(' ');
}
