/**
 * How a language writes numbers. A browser needs 20 ms to format its first number, because it loads the data of all languages; a
 * page that gets the format does not wait for that.
 */
export interface NumberForm {
  readonly decimal: string;
  readonly group: string;
  /** Digits of the last group, and of those before it. */
  readonly sizes: readonly [number, number];
  /** Shorter ones are not grouped. */
  readonly groupedFrom: number;
  /** Text before and after the digits. */
  readonly positive: readonly [string, string];
  readonly negative: readonly [string, string];
  /** The character for 0; the other digits follow it. */
  readonly zero: string;
  /** Digits after the decimal sign, for amounts in a currency. */
  readonly scale: number;
}

/** How a language writes dates: `day`, `month`, `year` and the text between them. */
export interface DateForm {
  readonly parts: readonly string[];
  readonly months: readonly string[];
  readonly zero: string;
}

/** The formats of the user's language. Absent: the browser decides. */
export interface WrittenForms {
  readonly number?: NumberForm;
  readonly date?: DateForm;
  /** By currency. */
  readonly money: Readonly<Record<string, NumberForm>>;
}

const plainNumber = /^(-?)0*(\d+?)(?:\.(\d+))?$/;

/** With a minimum and maximum number of decimals, rounded as the browser does; null for anything but a plain number. */
export function writeNumber(form: NumberForm, value: number | string, least: number, most: number): string | null {
  const [, sign, whole = '', fraction = ''] = plainNumber.exec(Object.is(value, -0) ? '-0' : String(value)) ?? [];
  if (whole === '') return null;
  let digits = whole + fraction.slice(0, most).padEnd(most, '0');
  if ((fraction[most] ?? '0') >= '5') digits = String(BigInt(digits) + 1n).padStart(digits.length, '0');
  const end = digits.length - most;
  const decimals = digits.slice(end).replace(/0+$/, '').padEnd(least, '0');
  const [before, after] = sign ? form.negative : form.positive;
  const text = grouped(form, digits.slice(0, end)) + (decimals && form.decimal + inDigits(form.zero, decimals));
  return before + text + after;
}

function grouped({ group, sizes, groupedFrom, zero }: NumberForm, whole: string): string {
  if (whole.length < groupedFrom) return inDigits(zero, whole);
  const groups: string[] = [];
  let end = whole.length;
  for (let size = sizes[0]; end > 0; size = sizes[1]) {
    groups.unshift(inDigits(zero, whole.slice(Math.max(0, end - size), end)));
    end -= size;
  }
  return groups.join(group);
}

function inDigits(zero: string, digits: string): string {
  if (zero === '0') return digits;
  const start = zero.charCodeAt(0);
  return Array.from(digits, (digit) => String.fromCharCode(start + Number(digit))).join('');
}

/** A day of the years that have four digits; null for others. */
export function writeDate({ parts, months, zero }: DateForm, date: Date): string | null {
  const year = date.getUTCFullYear();
  if (!(year >= 1000 && year <= 9999)) return null;
  const texts: Readonly<Record<string, string | undefined>> = {
    year: inDigits(zero, String(year)),
    month: months[date.getUTCMonth()],
    day: inDigits(zero, String(date.getUTCDate())),
  };
  return parts.map((part) => texts[part] ?? part).join('');
}
