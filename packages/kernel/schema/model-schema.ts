import { neededFields } from '@kontor/orm';
import { answerSchema, givenSchema, type Schema, type SchemaOf } from './field-schema.ts';
import type { OpenModel } from './open-models.ts';

/** A record in answers: `id`, and the requested fields. Dotted paths refer to other models. */
export function recordSchema({ model, fields }: OpenModel, schemaOf: SchemaOf): Schema {
  const shown = fields.filter(({ canRead }) => canRead);
  return {
    title: model.label,
    type: 'object',
    properties: Object.fromEntries(
      shown.map(({ field, canWrite }) => [
        field.name,
        { ...answerSchema(field, schemaOf), ...(canWrite ? {} : { readOnly: true }) },
      ]),
    ),
    patternProperties: { '^[a-z][a-z0-9_]*\\.': true },
    required: ['id'],
    additionalProperties: false,
    'x-model': model.name,
  };
}

/** Values as `write` expects them. */
export function valuesSchema({ model, fields }: OpenModel, schemaOf: SchemaOf): Schema {
  const given = fields.filter(({ canWrite }) => canWrite);
  return {
    title: model.label,
    type: 'object',
    properties: Object.fromEntries(given.map(({ field }) => [field.name, givenSchema(field, schemaOf)])),
    additionalProperties: false,
    'x-model': model.name,
  };
}

/** Names of fields that `create` requires. */
export function requiredNames({ model, fields }: OpenModel): readonly string[] {
  const needed = new Set(neededFields(model));
  return fields.filter(({ field, canWrite }) => canWrite && needed.has(field)).map(({ field }) => field.name);
}

const elsewhere: SchemaOf = () => ({ type: 'object' });

/** One model: a record, and under `$defs` the values of `write` and `create`. */
export function modelSchema(open: OpenModel, id: string): Schema {
  const canChange = open.fields.some(({ canWrite }) => canWrite);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    ...recordSchema(open, elsewhere),
    ...(canChange
      ? {
          $defs: {
            values: valuesSchema(open, elsewhere),
            create: { $ref: '#/$defs/values', required: requiredNames(open) },
          },
        }
      : {}),
    'x-methods': open.methods,
    'x-actions': open.actions.map(({ name }) => name),
  };
}
