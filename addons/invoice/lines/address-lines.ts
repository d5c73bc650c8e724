/** The paths of a contact that are printed as its address. */
export const addressPaths = [
  'name',
  'lang',
  'parent_id.name',
  'street',
  'street2',
  'zip',
  'city',
  'country_id.code',
  'country_id.name',
] as const;

interface Addressed {
  readonly name: string | null;
  readonly lang: string | null;
  readonly parent_id: { readonly name: string } | null;
  readonly street: string | null;
  readonly street2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly country_id: { readonly code: string; readonly name: string } | null;
}

/** An address as it is printed, the country in the language of the contact. */
export function addressLines(contact: Addressed): string {
  const { name, parent_id: firm, street, street2, zip, city, country_id: country, lang } = contact;
  const names = new Intl.DisplayNames([(lang ?? 'en_US').replaceAll('_', '-')], { type: 'region', fallback: 'none' });
  const land = country && ((/^[A-Z]{2}$/.test(country.code) && names.of(country.code)) || country.name);
  const town = [zip, city].filter(Boolean).join(' ');
  return [firm?.name, name, street, street2, town, land].filter(Boolean).join('\n');
}
