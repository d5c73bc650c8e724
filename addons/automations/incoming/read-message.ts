import { text, ValidationError } from '@kontor/addon';

const name = /^[a-z][a-z0-9_]{0,62}$/;
const place = /^[A-Za-z0-9_-]{1,60}(\.[A-Za-z0-9_-]{1,60}){0,5}$/;
const most = { fields: 30, text: 10_000 };

/** Where the value of each field is in a message: `customer.email`. */
export function readFieldsIn(given: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {});
  if (entries.length > most.fields)
    throw new ValidationError({ when: [text('At most {max} fields.', { max: most.fields })] });
  for (const [field, at] of entries) {
    if (!name.test(field) || typeof at !== 'string' || !place.test(at))
      throw new ValidationError({
        when: [text('Write where {field} is in the message, such as customer.email.', { field: field.slice(0, 80) })],
      });
  }
  return new Map(entries as [string, string][]);
}

/** The values of a message for the fields; what is absent, or is no plain value, is left out. */
export function valuesIn(message: unknown, places: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  const found = [...places].flatMap(([field, at]): (readonly [string, unknown])[] => {
    let value: unknown = message;
    for (const key of at.split('.')) {
      const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
      value = isObject ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
    }
    if (typeof value === 'string') return [[field, value.slice(0, most.text)]];
    return typeof value === 'number' || typeof value === 'boolean' ? [[field, value]] : [];
  });
  return Object.fromEntries(found);
}
