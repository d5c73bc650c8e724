/** How a number of a workbook is shown: unchanged, as a date, as a date with a time, as a time, or padded with zeros. */
export type CellFormat = 'number' | 'date' | 'datetime' | 'time' | { readonly digits: number };

/** Built-in formats of every workbook (ECMA-376, 18.8.30). */
export function builtinFormat(id: number): CellFormat {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return 'date';
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return 'time';
  return id === 22 ? 'datetime' : 'number';
}

/** The meaning of a workbook's own format: `yyyy-mm-dd`, `[$-407]d. mmmm yyyy;@`, `00000`. */
export function ownFormat(code: string): CellFormat {
  const [first = ''] = code.split(';', 1);
  // Quoted texts, colours and locales are not date letters; `[h]` counts hours.
  const bare = first
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .toLowerCase();
  if (/^0{2,}$/.test(bare)) return { digits: bare.length };
  if (bare.includes('general') || /[#0?]/.test(bare.replaceAll(/s\.0+/g, ''))) return 'number';
  const hasTime = /[hs]/.test(bare);
  const hasDay = /[dy]/.test(bare) || (bare.includes('m') && !hasTime);
  if (hasDay) return hasTime ? 'datetime' : 'date';
  return hasTime ? 'time' : 'number';
}

const dayMs = 86_400_000;
/** 1 January 1904, the epoch of some workbooks. */
const days1904 = 1_462;

/** A number of a workbook as a text that an import reads in any language. */
export function numberText(given: string, format: CellFormat, is1904: boolean): string {
  const number = Number(given);
  if (given.trim() === '' || !Number.isFinite(number)) return given;
  if (format === 'number') return plainDigits(number);
  if (typeof format === 'object') return Number.isInteger(number) ? zeroed(number, format.digits) : plainDigits(number);
  const serial = is1904 ? number + days1904 : number;
  // A value that cannot be a date stays a number.
  if (serial < 0 || serial >= 2_958_466) return plainDigits(number);
  if (format === 'time' && number < 1) return timeOf(serial);
  // Excel counts 29 February 1900, which never existed.
  const days = serial < 60 ? serial + 1 : serial;
  const instant = new Date(Math.round((days - 25_569) * 86_400) * 1_000);
  const text = instant.toISOString();
  const isWhole = format === 'date' || instant.getTime() % dayMs === 0;
  return isWhole ? text.slice(0, 10) : text.slice(0, 19);
}

function timeOf(serial: number): string {
  const seconds = Math.round(serial * 86_400) % 86_400;
  return new Date(seconds * 1_000).toISOString().slice(11, 19);
}

function zeroed(number: number, digits: number): string {
  const text = String(Math.abs(number)).padStart(digits, '0');
  return number < 0 ? `-${text}` : text;
}

/** Fifteen digits, like Excel: `0.30000000000000004` is 0.3. Without an exponent if possible. */
function plainDigits(number: number): string {
  const text = String(Number(number.toPrecision(15)));
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, first, more = '', exponent] = match as unknown as [string, string, string, string | undefined, string];
  const [digits, power] = [first + more, Number(exponent)];
  if (Math.abs(power) > 40) return text;
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  return sign + digits.padEnd(power + 1, '0');
}
