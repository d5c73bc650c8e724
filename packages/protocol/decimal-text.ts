const decimalText = /^([+-]?)(\d{1,1000})(?:\.(\d{1,1000}))?$/;

interface Parts {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

/** The shortest plain form of a number or a decimal string (`"007.50"` is `"7.5"`); null for anything else. */
export function canonicalDecimal(value: unknown): string | null {
  const parts = partsOf(value);
  if (parts === null) return null;
  const { isNegative, whole, fraction } = parts;
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Negative, zero or positive, as for `sort`; both in canonical form. */
export function compareDecimals(left: string, right: string): number {
  const a = partsOf(left) as Parts;
  const b = partsOf(right) as Parts;
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  const size =
    a.whole.length - b.whole.length || compareDigits(a.whole, b.whole) || compareDigits(a.fraction, b.fraction);
  return a.isNegative ? -size : size;
}

function compareDigits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** `12.5000` is `12.5`, `12.00` is `12`. */
export function trimZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end--;
  if (text[end - 1] === '.') end--;
  return text.slice(0, end);
}

function partsOf(value: unknown): Parts | null {
  const text = typeof value === 'number' ? plainNumber(value) : String(value);
  const match = decimalText.exec(text);
  if (match === null) return null;
  const whole = (match[2] as string).replace(/^0+(?=\d)/, '');
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  return { isNegative: match[1] === '-' && (whole !== '0' || fraction !== ''), whole, fraction };
}

/** A number's shortest form without exponent. */
function plainNumber(value: number): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value));
  if (match === null) return String(value);
  const digits = `${match[2]}${match[3] ?? ''}`;
  const point = 1 + Number(match[4]);
  if (point <= 0) return `${match[1]}0.${'0'.repeat(-point)}${digits}`;
  return `${match[1]}${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}0`;
}
