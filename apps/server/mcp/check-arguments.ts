/** The subset of JSON Schema that describes tool arguments. */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** False: no other properties. */
  readonly additionalProperties?: boolean;
  readonly items?: Schema | Readonly<Record<string, never>>;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The mistake in a value, in one sentence; null: none. */
export function problemOf(value: unknown, schema: Schema, name = 'arguments'): string | null {
  if (!isOfType[schema.type](value)) return `${name} must be ${article(schema.type)}.`;
  if (typeof value === 'string') return textProblem(value, schema, name);
  if (typeof value === 'number') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
    return value < minimum || value > maximum ? `${name} must be from ${minimum} to ${maximum}.` : null;
  }
  if (Array.isArray(value)) return listProblem(value, schema, name);
  return typeof value === 'object' ? objectProblem(value as Readonly<Record<string, unknown>>, schema, name) : null;
}

function textProblem(
  value: string,
  { enum: choices, minLength = 0, maxLength = 10_000 }: Schema,
  name: string,
): string | null {
  if (choices && !choices.includes(value)) return `${name} must be one of ${choices.join(', ')}.`;
  const isLong = value.length > maxLength || value.trim().length < minLength;
  return isLong ? `${name} must have ${minLength} to ${maxLength} characters.` : null;
}

function listProblem(value: readonly unknown[], schema: Schema, name: string): string | null {
  const { items, minItems = 0, maxItems = 10_000 } = schema;
  if (value.length < minItems || value.length > maxItems)
    return `${name} must have ${minItems} to ${maxItems} entries.`;
  if (!items || !isSchema(items)) return null;
  for (const [index, item] of value.entries()) {
    const problem = problemOf(item, items, `${name}[${index}]`);
    if (problem) return problem;
  }
  return null;
}

function objectProblem(value: Readonly<Record<string, unknown>>, schema: Schema, name: string): string | null {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required.find((key) => value[key] === undefined);
  if (missing !== undefined) return `${missing} is missing.`;
  for (const [key, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!known && !additionalProperties)
      return `${name} takes no ${key}; it takes ${Object.keys(properties).join(', ') || 'nothing'}.`;
    const problem = known && inner !== undefined ? problemOf(inner, known, key) : null;
    if (problem) return problem;
  }
  return null;
}

function isSchema(items: NonNullable<Schema['items']>): items is Schema {
  return 'type' in items;
}

const isOfType: Readonly<Record<Schema['type'], (value: unknown) => boolean>> = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
};

function article(type: Schema['type']): string {
  return {
    object: 'an object',
    array: 'a list',
    string: 'a text',
    integer: 'a whole number',
    boolean: 'true or false',
  }[type];
}
