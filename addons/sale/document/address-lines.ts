import { type Loaded, languageTag } from '@kontor/addon';

export const placePaths = ['name', 'street', 'street2', 'zip', 'city', 'country_id.name', 'country_id.code'] as const;
/** The paths of a contact that are printed as its address. */
export const addressPaths = ['lang', 'parent_id.name', ...placePaths] as const;

/** An address as it is printed, the country in the language of the contact. */
export function addressLines(contact: Loaded<'core.partner', (typeof addressPaths)[number]>): string {
  return [contact.parent_id?.name, placeLines(contact, contact.lang)].filter(Boolean).join('\n');
}

/** The same without the firm, for a reader. */
export function placeLines(place: Loaded<'core.partner', (typeof placePaths)[number]>, lang: string | null): string {
  return [place.name, place.street, place.street2, townOf(place), countryOf(place, lang)].filter(Boolean).join('\n');
}

/** The country as the reader's language calls it. */
export function countryOf(
  { country_id: country }: Pick<Loaded<'core.partner', 'country_id.name' | 'country_id.code'>, 'country_id'>,
  lang: string | null,
): string | null {
  if (!country || !/^[A-Z]{2}$/.test(country.code)) return country?.name ?? null;
  const names = new Intl.DisplayNames([languageTag(lang ?? 'en_US')], { type: 'region', fallback: 'none' });
  return names.of(country.code) ?? country.name;
}

export function townOf({ zip, city }: { readonly zip: string | null; readonly city: string | null }): string {
  return [zip, city].filter(Boolean).join(' ');
}
