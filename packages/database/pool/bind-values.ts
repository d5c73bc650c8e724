export type BoundValue = string | number | boolean | Buffer | null | readonly BoundValue[];

/**
 * Converts parameters to wire format. Instants become UTC, arrays become array literals, and objects are rejected: the
 * driver would write them as JSON whatever the column is, so callers pass JSON as text (`JSON.stringify`).
 */
export function bindValues(values: readonly unknown[]): BoundValue[] {
  return values.map((value, index) => bindValue(value, index + 1));
}

function bindValue(value: unknown, position: number): BoundValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : bindObject(value, position);
    default:
      throw new TypeError(`Parameter $${position} is ${typeof value}; pass null where there is no value.`);
  }
}

function bindObject(value: object, position: number): BoundValue {
  if (Array.isArray(value)) return bindArray(value, position);
  if (value instanceof Buffer) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new TypeError(`Parameter $${position} is an invalid date.`);
    return value.toISOString();
  }
  throw new TypeError(
    `Parameter $${position} is an object (${value.constructor?.name ?? 'no prototype'}); pass json and decimals as text.`,
  );
}

/**
 * Writes an array as PostgreSQL does: plain elements unquoted, others in quotes. The driver would quote and escape every element.
 * Nested arrays and bytes are left to the driver.
 */
function bindArray(items: readonly unknown[], position: number): BoundValue {
  const elements: string[] = [];
  for (let at = 0; at < items.length; at++) {
    if (Array.isArray(items[at])) return bindItems(items, position);
    const item = bindValue(items[at], position);
    if (typeof item === 'object' && item !== null) return bindItems(items, position);
    elements.push(typeof item === 'string' ? element(item) : item === null ? 'NULL' : String(item));
  }
  return `{${elements.join(',')}}`;
}

function bindItems(items: readonly unknown[], position: number): readonly BoundValue[] {
  return items.map((item) => (Array.isArray(item) ? bindItems(item, position) : bindValue(item, position)));
}

const needsQuotes = /^$|^null$|["\\{},\s]/i;
const needsEscape = /["\\]/g;

function element(text: string): string {
  return needsQuotes.test(text) ? `"${text.replace(needsEscape, '\\$&')}"` : text;
}
