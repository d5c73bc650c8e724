/** Lengths of EAN-8, UPC-A, EAN-13 and GTIN-14: numbers that end with a check digit. Anything else is free text. */
const lengths: ReadonlySet<number> = new Set([8, 12, 13, 14]);

/** Whether a barcode of one of these kinds ends with the digit that the others make. */
export function hasCheckDigit(barcode: string): boolean {
  if (!/^\d+$/.test(barcode) || !lengths.has(barcode.length)) return true;
  const digits = [...barcode].map(Number).reverse();
  const [check = 0, ...others] = digits;
  const sum = others.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === check;
}
