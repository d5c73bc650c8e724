export type BoundValue = string | number | boolean | Buffer | null | readonly BoundValue[];

/**
 * Parameters as the wire needs them. Instants go as UTC, arrays as array literals, and an object is refused: the
 * driver would write it as JSON whatever the column is, so json is passed as text (`JSON.stringify`) by its owner.
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
  if (Array.isArray(value)) return value.map((item) => bindValue(item, position));
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
