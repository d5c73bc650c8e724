import { domainOperators, measures } from '@kontor/protocol';
import { maxIds, type RpcMethod, rpcMethods } from '../rpc/methods.ts';
import { askedSchema, idSchema, type Schema } from './field-schema.ts';
import type { OpenModel } from './open-models.ts';

export function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Names of a model's schemas in a document. Model names contain no dash. */
export const partsOf = (model: string) =>
  ({
    record: `${model}-record`,
    values: `${model}-values`,
    create: `${model}-create`,
    calls: `${model}-calls`,
  }) as const;

const texts: Schema = { type: 'array', items: { type: 'string' } };
const count: Schema = { type: ['integer', 'null'], minimum: 0 };
const flag: Schema = { type: ['boolean', 'null'] };

/** Schemas that calls of every model share. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  Ids: { type: 'array', items: idSchema, maxItems: maxIds },
  Domain: {
    description: 'Conditions, ANDed; "&", "|" and "!" come before what they combine.',
    type: 'array',
    items: {
      anyOf: [
        { enum: ['&', '|', '!'] },
        {
          type: 'array',
          prefixItems: [{ type: 'string' }, { enum: [...domainOperators] }, true],
          minItems: 3,
          maxItems: 3,
        },
      ],
    },
  },
  Projection: {
    description: 'Field paths, and nested projections of x2many fields.',
    type: 'array',
    items: {
      anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: refTo('Projection') }],
    },
  },
  GroupSpec: {
    type: 'object',
    properties: {
      domain: refTo('Domain'),
      groupby: { type: ['array', 'string'], items: { type: 'string' }, maxItems: 8 },
      fields: {
        type: 'array',
        maxItems: 64,
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, field: { type: 'string' }, measure: { enum: [...measures] } },
          required: ['name', 'field', 'measure'],
          additionalProperties: false,
        },
      },
      subtotals: { type: 'array', items: texts },
      money: { type: ['boolean', 'string'] },
      running: { type: 'string' },
      cohort: { type: 'object' },
      load: { type: 'object' },
      days: { type: 'object' },
      limit: count,
      offset: count,
      order: { type: ['string', 'null'] },
    },
    additionalProperties: false,
  },
  GroupRow: {
    type: 'object',
    properties: { __count: { type: 'integer' }, __domain: refTo('Domain') },
    required: ['__count', '__domain'],
  },
  Onchange: {
    type: 'object',
    properties: {
      value: { type: 'object' },
      warning: {
        type: 'object',
        properties: { title: { type: 'string' }, message: { type: 'string' } },
        required: ['title', 'message'],
      },
      domain: { type: 'object', additionalProperties: refTo('Domain') },
    },
    required: ['value'],
  },
  Redirect: {
    anyOf: [{ const: true }, { type: 'object', properties: { redirect: { type: 'string' } }, required: ['redirect'] }],
  },
  DryRun: {
    description: 'What a call with dry_run would have done.',
    type: 'object',
    properties: {
      dry_run: { const: true },
      result: true,
      changes: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            model: { type: 'string' },
            id: { type: 'integer' },
            operation: { enum: ['create', 'write', 'unlink'] },
            values: { type: 'object', additionalProperties: { type: 'object', required: ['old', 'new'] } },
          },
          required: ['model', 'id', 'operation', 'values'],
        },
      },
    },
    required: ['dry_run', 'result', 'changes'],
  },
};

type MethodName = 'search' | 'search_read' | 'read' | 'read_group' | 'call' | 'onchange' | Changing;
type Changing = 'create' | 'write' | 'unlink' | 'create_many' | 'write_many' | 'unlink_many';

const ids = refTo('Ids');
const domain: Schema = { anyOf: [refTo('Domain'), { type: 'null' }] };
const projection: Schema = { anyOf: [refTo('Projection'), { type: 'null' }] };
const values = ({ model }: OpenModel) => refTo(partsOf(model.name).values);
const create = ({ model }: OpenModel) => refTo(partsOf(model.name).create);
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** Positional arguments of each method, in table order. */
const argumentSchemas: Readonly<Record<MethodName, (open: OpenModel) => readonly Schema[]>> = {
  search: () => [domain],
  search_read: () => [domain, projection],
  read: () => [ids, projection],
  read_group: () => [refTo('GroupSpec')],
  call: (open) => [
    { type: 'integer', minimum: 0 },
    { enum: open.actions.map(({ name }) => name) },
    { type: ['object', 'null'], additionalProperties: { type: 'string' } },
  ],
  create: (open) => [create(open)],
  write: (open) => [ids, values(open)],
  unlink: () => [ids],
  // With `upsert`, rows of existing records may be incomplete.
  create_many: (open) => [{ type: 'array', items: values(open), maxItems: maxIds }],
  write_many: (open) => [ids, values(open)],
  unlink_many: () => [ids],
  onchange: () => [{ type: 'object' }, { anyOf: [{ type: 'string' }, texts] }],
};

const namedSchemas: Readonly<Record<string, (open: OpenModel) => Schema>> = {
  limit: () => count,
  offset: () => count,
  order: () => ({ type: ['string', 'null'] }),
  dry_run: () => flag,
  base: () => ({ type: ['object', 'null'] }),
  external_ids: () => ({ type: ['array', 'null'], items: { type: ['string', 'null'] } }),
  upsert: () => ({ type: ['boolean', 'string', 'null'] }),
  each: (open) => ({
    type: ['array', 'null'],
    items: {
      type: 'object',
      properties: { values: values(open), base: { type: ['object', 'null'] } },
      additionalProperties: false,
    },
  }),
  id: () => orNull(idSchema),
  action: () => ({ type: 'string' }),
  active_ids: () => ids,
};

const answerSchemas: Readonly<Record<MethodName, (open: OpenModel) => Schema>> = {
  search: records,
  search_read: records,
  read: records,
  read_group: () => ({ type: 'array', items: refTo('GroupRow') }),
  call: () => refTo('Redirect'),
  create: () => idSchema,
  write: () => ({ const: true }),
  unlink: () => ({ const: true }),
  create_many: () => ({ type: 'array', items: idSchema }),
  write_many: () => ({ const: true }),
  unlink_many: () => ({ const: true }),
  onchange: () => refTo('Onchange'),
};

function records({ model }: OpenModel): Schema {
  return { type: 'array', items: refTo(partsOf(model.name).record) };
}

/** Every call of a model that is available to the caller, each with the schema of its result. */
export function callsSchema(open: OpenModel): Schema {
  return { title: open.model.label, oneOf: open.methods.map((name) => callSchema(open, name as MethodName)) };
}

function callSchema(open: OpenModel, name: MethodName): Schema {
  const method = rpcMethods.get(name) as RpcMethod;
  const args = argumentSchemas[name](open);
  const needed = method.args.filter((arg) => !arg.endsWith('?')).length;
  const kwargs = Object.fromEntries(
    method.kwargs.map((key) => [key, (namedSchemas[key] as (o: OpenModel) => Schema)(open)]),
  );
  const positional = method.isVariadic
    ? { items: args[0], minItems: needed }
    : { prefixItems: args, minItems: needed, maxItems: args.length };
  return {
    description: method.summary,
    type: 'object',
    properties: {
      model: { const: open.model.name },
      method: { const: name },
      args: { type: 'array', ...positional },
      kwargs: { type: 'object', properties: kwargs, additionalProperties: false },
    },
    required: ['model', 'method', 'args'],
    additionalProperties: false,
    'x-result': resultSchema(open, name),
    ...(name === 'call' ? { 'x-actions': actionsOf(open) } : {}),
  };
}

/** The result of a method on success. */
function resultSchema(open: OpenModel, name: MethodName): Schema {
  const result = answerSchemas[name](open);
  return rpcMethods.get(name)?.kwargs.includes('dry_run') ? { anyOf: [result, refTo('DryRun')] } : result;
}

function actionsOf({ actions }: OpenModel): Schema {
  return Object.fromEntries(
    actions.map((action) => [
      action.name,
      {
        label: action.kind === 'move' ? (action.moves[0]?.label ?? null) : action.label,
        asks: Object.fromEntries([...action.asks].map(([name, field]) => [name, askedSchema(field)])),
        needs: [...action.asks].filter(([, field]) => field.required).map(([name]) => name),
      },
    ]),
  );
}

/** Methods and arguments of the endpoint that have no schema here. */
export function undescribedMethods(): readonly string[] {
  return [...rpcMethods].flatMap(([name, { args, kwargs }]) => {
    if (!Object.hasOwn(argumentSchemas, name)) return [name];
    const described = argumentSchemas[name as MethodName]({ model: { name: '' }, actions: [] } as never).length;
    const unknown = kwargs.filter((key) => !Object.hasOwn(namedSchemas, key)).map((key) => `${name}.${key}`);
    return described === args.length ? unknown : [name, ...unknown];
  });
}
