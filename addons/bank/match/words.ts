/** A number as it is compared: `INV-2026-0187` and `inv 2026/0187` are the same. */
export function numberOf(given: string): string {
  return given.toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

export function digitsOf(given: string): string {
  return given.replaceAll(/\D+/g, '');
}

const mostParts = 5;
const mostWords = 300;

/** All that could be a number in a text: banks break lines within it, and people leave out what joins its parts. */
export function possibleNumbers(text: string): ReadonlySet<string> {
  const parts = text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, mostWords);
  const found = new Set<string>();
  for (let from = 0; from < parts.length; from++) {
    for (let count = 1; count <= mostParts && from + count <= parts.length; count++) {
      found.add(parts.slice(from, from + count).join(''));
    }
  }
  // `Rechnung20260187`: the number without the word before it.
  for (const part of parts) {
    const digits = /^\p{L}+(\d{6,})$/u.exec(part)?.[1];
    if (digits) found.add(digits);
  }
  return found;
}

/** The number inside a creditor reference (ISO 11649) whose check digits are right; null: it is none. */
export function creditorReference(given: string | null): string | null {
  const value = (given ?? '').replaceAll(/\s/g, '').toUpperCase();
  if (!/^RF\d{2}[A-Z\d]{1,21}$/.test(value)) return null;
  const digits = [...value.slice(4), ...value.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n ? value.slice(4).replace(/^0+(?=.)/, '') : null;
}

/** Words that tell no company from another. */
const forms = new Set(
  (
    'GMBH AG KG OHG GBR UG EK EV CO COMPANY LTD LIMITED LLC INC CORP PLC SARL SAS SASU SA SNC EURL SRL SPA SL BV NV ' +
    'OY AB AS ASA APS AS KFT SRO DOO SP ZOO UND AND ET Y E THE HERR FRAU MR MRS MME'
  ).split(' '),
);

/** A name as it is compared: `Müller & Söhne GmbH` is MUELLER, SOEHNE. */
export function nameWords(name: string): ReadonlySet<string> {
  const words = name
    .toUpperCase()
    // `S.r.l.` is one word.
    .replaceAll('.', '')
    .replaceAll('Ä', 'AE')
    .replaceAll('Ö', 'OE')
    .replaceAll('Ü', 'UE')
    .replaceAll('ß', 'SS')
    .normalize('NFD')
    .replaceAll(/(?<=[A-Z])\p{Mn}+/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !forms.has(word));
  return new Set(words);
}

/** Whether somebody is named: all of their words, unless that is one short word. */
export function isNamed(wanted: ReadonlySet<string>, within: ReadonlySet<string>): boolean {
  const words = [...wanted];
  if (words.length === 0 || !words.every((word) => within.has(word))) return false;
  return words.length > 1 || (words[0] as string).length >= 5 || within.size === 1;
}
