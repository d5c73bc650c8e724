import { type ErrorCode, errorCatalogue } from '@kontor/protocol';
import { kontorVersion } from '../kontor-version.ts';
import { callsSchema, partsOf, refTo, sharedSchemas } from './call-schema.ts';
import { idSchema, type Schema, type SchemaOf } from './field-schema.ts';
import { recordSchema, requiredNames, valuesSchema } from './model-schema.ts';
import type { OpenModel } from './open-models.ts';

/** OpenAPI 3.1 of the endpoint, with the models, methods, fields and actions that are available to one caller. */
export function openApi(models: readonly OpenModel[], address: string): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version: kontorVersion(),
      description:
        'All record data go through one endpoint. This document has what the caller who asked for it may do.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    ...(address === '' ? {} : { servers: [{ url: address }] }),
    security: [{ key: [] }, { bearer: [] }, { session: [], csrf: [] }],
    paths: {
      '/api/rpc': { post: rpcOperation() },
      '/web/schema/{model}.json': { get: schemaOperation() },
    },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'svc_session' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
      },
      schemas: { ...sharedSchemas, ...envelopes(models), ...modelSchemas(models) },
    },
  };
}

function modelSchemas(models: readonly OpenModel[]): Readonly<Record<string, Schema>> {
  const known = new Set(models.map(({ model }) => model.name));
  const schemaOf: SchemaOf = (model, kind) => (known.has(model) ? refTo(partsOf(model)[kind]) : { type: 'object' });
  return Object.fromEntries(
    models.flatMap((open) => {
      const { record, values, create, calls } = partsOf(open.model.name);
      return [
        [record, recordSchema(open, schemaOf)],
        [values, valuesSchema(open, schemaOf)],
        [create, { $ref: `#/components/schemas/${values}`, required: requiredNames(open) }],
        [calls, callsSchema(open)],
      ];
    }),
  );
}

function envelopes(models: readonly OpenModel[]): Readonly<Record<string, Schema>> {
  const names = models.map(({ model }) => model.name);
  const calls = names.map((name) => `#/components/schemas/${partsOf(name).calls}`);
  return {
    Call: {
      type: 'object',
      oneOf: calls.map(($ref) => ({ $ref })),
      discriminator: {
        propertyName: 'model',
        mapping: Object.fromEntries(names.map((name, index) => [name, calls[index]])),
      },
    },
    Wrapped: {
      type: 'object',
      properties: { params: refTo('Call') },
      required: ['params'],
      additionalProperties: false,
    },
    Success: {
      description: 'What `result` is like is said by `x-result` of the call.',
      type: 'object',
      properties: { ok: { const: true }, result: true, error: { type: 'null' } },
      required: ['ok', 'result', 'error'],
      additionalProperties: false,
    },
    Held: heldSchema,
    Failure: {
      type: 'object',
      properties: {
        ok: { const: false },
        result: { type: 'null' },
        error: {
          type: 'object',
          properties: {
            code: { type: 'string', enum: Object.keys(errorCatalogue) },
            message: { type: 'string' },
            details: { type: 'object' },
          },
          required: ['code', 'message', 'details'],
          additionalProperties: false,
        },
      },
      required: ['ok', 'result', 'error'],
      additionalProperties: false,
    },
  };
}

const heldSchema: Schema = {
  description: 'The call of an agent waits for approval: nothing has changed yet.',
  type: 'object',
  properties: {
    ok: { const: true },
    result: {
      type: 'object',
      properties: {
        held: { const: true },
        proposal: { ...idSchema, 'x-model': 'sys.proposal' },
        state: { type: 'string' },
        changes: { type: 'array', items: { type: 'object' } },
      },
      required: ['held', 'proposal', 'state', 'changes'],
    },
    error: { type: 'null' },
  },
  required: ['ok', 'result', 'error'],
  additionalProperties: false,
};

const header = (description: string, type = 'string'): Schema => ({ description, schema: { type } });
const json = (schema: Schema): Schema => ({ 'application/json': { schema } });
const sentHeader = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

function rpcOperation(): Schema {
  return {
    operationId: 'rpc',
    summary: 'Runs one call in the name of the caller.',
    parameters: [
      sentHeader('Idempotency-Key', 'The same key and body within 24 hours get the first answer.'),
      sentHeader('X-Request-ID', 'Comes back; the log names it.'),
    ],
    requestBody: { required: true, content: json({ anyOf: [refTo('Call'), refTo('Wrapped')] }) },
    responses: {
      200: {
        description: 'It was done.',
        headers: {
          'X-Request-ID': header('Names the call in the log.'),
          'X-Change-Set': header('The change set of a call that changed something.', 'integer'),
          'X-Undo': header('"no" where the change set cannot be taken back.'),
        },
        content: json(refTo('Success')),
      },
      202: { description: 'It waits for the approval of a person.', content: json(refTo('Held')) },
      ...failures(),
    },
  };
}

/** One response per status, with its possible codes. */
function failures(): Readonly<Record<string, Schema>> {
  const codes = Object.entries(errorCatalogue) as readonly (readonly [ErrorCode, { status: number }])[];
  const statuses = [...new Set(codes.map(([, { status }]) => status))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes.flatMap(([code, known]) => (known.status === status ? [code] : [])).join(', '),
        ...(status === 429 ? { headers: { 'Retry-After': header('Seconds to wait.', 'integer') } } : {}),
        content: json(refTo('Failure')),
      },
    ]),
  );
}

function schemaOperation(): Schema {
  return {
    operationId: 'modelSchema',
    summary: 'JSON Schema of one model: a record, and under $defs what write and create take.',
    parameters: [{ name: 'model', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: { description: 'The schema.', content: { 'application/schema+json': { schema: { type: 'object' } } } },
      ...failures(),
    },
  };
}
