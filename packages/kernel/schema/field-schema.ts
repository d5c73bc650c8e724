import type { Field } from '@kontor/orm';
import { type FieldTypeTraits, fieldType } from '@kontor/protocol';

/** A piece of JSON Schema, draft 2020-12. Keywords with `x-` are our own; clients can ignore them. */
export type Schema = Readonly<Record<string, unknown>>;

/** References to the schemas of another model, if available: its records, or the values it accepts. */
export type SchemaOf = (model: string, kind: 'record' | 'values') => Schema;

export const idSchema: Schema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };

/** A value of the field in answers. */
export function answerSchema(field: Field, schemaOf: SchemaOf): Schema {
  const { kind, spec } = field;
  // Records of a virtual model may have no id.
  if (field.name === 'id') return { type: 'integer', minimum: 0, ...about(field) };
  if (kind.isList) {
    const relation = spec.relation as string;
    const items = { anyOf: [idSchema, schemaOf(relation, 'record')] };
    return { type: 'array', items, ...about(field) };
  }
  const isSet = field.isStored && field.required;
  return { ...withEmpty(plainSchema(field, kind), isSet || kind.isBoolean), ...about(field) };
}

/** A value of the field in calls. */
export function givenSchema(field: Field, schemaOf: SchemaOf): Schema {
  const { kind, spec } = field;
  if (kind.isList) return { ...commandsSchema(schemaOf(spec.relation as string, 'values')), ...about(field) };
  const { min, max, size } = spec;
  const bounds = {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(size === undefined || !kind.isText ? {} : { maxLength: size }),
  };
  const plain = plainSchema(field, kind);
  const exact = kind.isExact ? { type: ['number', 'string'], pattern: '^-?\\d+(\\.\\d+)?$' } : {};
  return { ...withEmpty({ ...plain, ...exact, ...bounds }, field.required && !kind.isBoolean), ...about(field) };
}

function plainSchema(field: Field, type: FieldTypeTraits): Schema {
  if (type.isToOne) return idSchema;
  if (type.isJson) return {};
  if (type.isChoice) return { type: 'string', enum: [...(field.selection ?? new Map()).keys()] };
  if (type.isBoolean) return { type: 'boolean' };
  if (type.isWhole) return { type: 'integer' };
  if (type.isNumber) return { type: 'number' };
  if (type.isInstant) return { type: 'string', format: 'date-time' };
  if (type.isDate) return { type: 'string', format: 'date' };
  if (type.isFile) return { type: 'string', contentEncoding: 'base64' };
  if (type.isReference)
    return { type: 'string', pattern: '^(x_[a-z0-9_]+|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+),[1-9]\\d{0,9}$' };
  return { type: 'string' };
}

/** The same, or null if the field may be empty. */
function withEmpty(schema: Schema, isNeverEmpty: boolean): Schema {
  if (isNeverEmpty || schema.type === undefined) return schema;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  };
}

function about({ name, label, spec, selection }: Field): Schema {
  return {
    title: label,
    ...(spec.help === undefined ? {} : { description: spec.help }),
    ...(spec.relation === undefined ? {} : { 'x-model': spec.relation }),
    ...(selection === null ? {} : { 'x-labels': Object.fromEntries(selection) }),
    'x-type': name === 'id' ? 'id' : spec.type,
  };
}

function commandsSchema(values: Schema): Schema {
  const command = (name: string, ...rest: readonly Schema[]): Schema => ({
    type: 'array',
    prefixItems: [{ const: name }, ...rest],
    minItems: 1 + rest.length,
    maxItems: 1 + rest.length,
  });
  const one = ['link', 'unlink', 'delete'].map((name) => command(name, idSchema));
  return {
    type: ['array', 'null'],
    items: {
      anyOf: [
        command('create', values),
        command('update', idSchema, values),
        command('update', idSchema, values, values),
        ...one,
        command('set', { type: 'array', items: idSchema }),
        command('clear'),
      ],
    },
  };
}

/** An answer to a question of an action: text, as `call` expects it. */
export function askedSchema(field: Field): Schema {
  const isChoice = fieldType(field.spec.type).isChoice;
  const choices = isChoice && field.selection ? { enum: ['', ...field.selection.keys()] } : {};
  return { type: 'string', ...choices, ...about(field) };
}
