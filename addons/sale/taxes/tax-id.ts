/** How a country writes its tax ids, and how the last digits follow from the others, if they do. */
interface TaxIds {
  readonly format: RegExp;
  readonly check?: (id: string) => boolean;
}

const digits = (id: string) => [...id].map(Number);
/** The sum of the first digits, each times its weight. */
const weighted = (id: string, ...weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(id[at]), 0);
const last = (id: string) => Number(id.at(-1));
/** Twice a digit, as the sum of its digits. */
const doubled = (digit: number) => ((digit * 2) % 10) + (digit > 4 ? 1 : 0);
/** With digits that are doubled in turn, from the second one on the right. */
function luhn(id: string): boolean {
  const sum = digits(id)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : doubled(digit)), 0);
  return sum % 10 === 0;
}
/** ISO 7064, modulo 11 and 10. */
function mod1110(id: string): boolean {
  const product = digits(id.slice(0, -1)).reduce((rest, digit) => (((digit + rest) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === last(id);
}
const remainder = (id: string, by: number) => Number(BigInt(id) % BigInt(by));

function austrian(id: string): boolean {
  const sum = digits(id.slice(1, 8)).reduce((total, digit, at) => total + (at % 2 === 0 ? digit : doubled(digit)), 0);
  return (10 - ((sum + 4) % 10)) % 10 === last(id);
}

function french(id: string): boolean {
  const [key, siren] = [id.slice(0, 2), id.slice(2)];
  return !/^\d\d$/.test(key) || (12 + 3 * (Number(siren) % 97)) % 97 === Number(key);
}

function irish(id: string): boolean {
  const number = /^(\d{7})([A-W])([A-I]?)$/.exec(id);
  if (!number) return true;
  const [, main = '', letter = '', second = ''] = number;
  const extra = second === '' ? 0 : 9 * (second.charCodeAt(0) - 64);
  return 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(main, 8, 7, 6, 5, 4, 3, 2) + extra) % 23] === letter;
}

function dutch(id: string): boolean {
  const old = weighted(id, 9, 8, 7, 6, 5, 4, 3, 2) % 11 === Number(id[8]);
  // Since 2020 sole traders have another one: as an IBAN, with letters as numbers from 10 on.
  const asNumber = [...`NL${id}`].map((each) => Number.parseInt(each, 36)).join('');
  return old || remainder(asNumber, 97) === 1;
}

function spanish(id: string): boolean {
  const person = /^([XYZ\d]\d{7})([A-Z])$/.exec(id);
  if (person) {
    const [, number = '', letter] = person;
    const main = number.replace(/^[XYZ]/, (first) => String('XYZ'.indexOf(first)));
    return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(main) % 23] === letter;
  }
  const main = id.slice(1, 8);
  const sum = digits(main).reduce((total, digit, at) => total + (at % 2 === 1 ? digit : doubled(digit)), 0);
  const check = (10 - (sum % 10)) % 10;
  return id.at(-1) === String(check) || id.at(-1) === 'JABCDEFGHI'[check];
}

function romanian(id: string): boolean {
  const main = id.slice(0, -1).padStart(9, '0');
  return ((weighted(main, 7, 5, 3, 2, 1, 7, 5, 3, 2) * 10) % 11) % 10 === last(id);
}

/** By country code; those whose check digits are not published have a format alone. */
const taxIds: Readonly<Record<string, TaxIds>> = {
  AT: { format: /^U\d{8}$/, check: austrian },
  BE: { format: /^[01]\d{9}$/, check: (id) => 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8)) },
  BG: { format: /^\d{9,10}$/ },
  CY: { format: /^\d{8}[A-Z]$/ },
  CZ: { format: /^\d{8,10}$/ },
  DE: { format: /^[1-9]\d{8}$/, check: mod1110 },
  DK: { format: /^[1-9]\d{7}$/, check: (id) => weighted(id, 2, 7, 6, 5, 4, 3, 2, 1) % 11 === 0 },
  EE: { format: /^\d{9}$/, check: (id) => weighted(id, 3, 7, 1, 3, 7, 1, 3, 7, 1) % 10 === 0 },
  ES: { format: /^[A-Z\d]\d{7}[A-Z\d]$/, check: spanish },
  FI: { format: /^\d{8}$/, check: (id) => weighted(id, 7, 9, 10, 5, 8, 4, 2, 1) % 11 === 0 },
  FR: { format: /^[A-HJ-NP-Z\d]{2}\d{9}$/, check: french },
  GR: {
    format: /^\d{9}$/,
    check: (id) => (weighted(id, 256, 128, 64, 32, 16, 8, 4, 2) % 11) % 10 === last(id),
  },
  HR: { format: /^\d{11}$/, check: mod1110 },
  HU: { format: /^\d{8}$/, check: (id) => weighted(id, 9, 7, 3, 1, 9, 7, 3, 1) % 10 === 0 },
  IE: { format: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/, check: irish },
  IT: { format: /^\d{11}$/, check: luhn },
  LT: { format: /^(\d{9}|\d{12})$/ },
  LU: { format: /^\d{8}$/, check: (id) => Number(id.slice(0, 6)) % 89 === Number(id.slice(6)) },
  LV: { format: /^\d{11}$/ },
  MT: { format: /^\d{8}$/, check: (id) => (weighted(id, 3, 4, 6, 7, 8, 9) + Number(id.slice(6))) % 37 === 0 },
  NL: { format: /^\d{9}B\d{2}$/, check: dutch },
  PL: { format: /^\d{10}$/, check: (id) => weighted(id, 6, 5, 7, 2, 3, 4, 5, 6, 7) % 11 === last(id) },
  PT: { format: /^\d{9}$/, check: (id) => ((11 - (weighted(id, 9, 8, 7, 6, 5, 4, 3, 2) % 11)) % 11) % 10 === last(id) },
  RO: { format: /^[1-9]\d{1,9}$/, check: romanian },
  SE: { format: /^\d{10}\d{2}$/, check: (id) => luhn(id.slice(0, -2)) },
  SI: { format: /^[1-9]\d{7}$/, check: (id) => (11 - (weighted(id, 8, 7, 6, 5, 4, 3, 2) % 11)) % 10 === last(id) },
  SK: { format: /^[1-9]\d{9}$/, check: (id) => remainder(id, 11) === 0 },
};

/**
 * Whether a tax id can be one of a business in this country: with the right prefix, length and check digits. Countries outside of the
 * European Union are not checked.
 */
export function isTaxId(given: string | null | undefined, country: string | null | undefined): boolean {
  const id = (given ?? '').toUpperCase().replaceAll(/[\s.\-/]/g, '');
  if (id === '') return false;
  const known = taxIds[country ?? ''];
  if (!known) return true;
  const prefix = country === 'GR' ? 'EL' : country;
  if (!id.startsWith(prefix ?? '')) return false;
  const own = id.slice(2);
  return known.format.test(own) && (known.check?.(own) ?? true);
}
