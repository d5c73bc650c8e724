import { rpcMethods } from '@kontor/kernel';
import { createApiKey } from '@kontor/parts';
import { long } from '@kontor/testing/long';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

interface Page {
  readonly openapi: string;
  readonly paths: Record<string, unknown>;
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> };
}
interface CallSchema {
  readonly properties: { readonly method: { readonly const: string } };
  readonly 'x-result': object;
}
type Fields = Record<string, { readonly type?: unknown; readonly readOnly?: boolean; readonly enum?: unknown[] }>;

let world: TestServer;
let admin: Browser;
let page: Page;
let api: ReturnType<typeof load>;
beforeAll(async () => {
  world = await startTestServer({ modules: ['sale', 'project'], demo: true });
  admin = await world.signedIn();
  page = await pageOf(admin);
  api = load(page);
});
afterAll(() => world.close());

const pageOf = async (browser: Browser) => (await (await browser.get('/web/openapi.json')).json()) as Page;
const schemaOf = async (browser: Browser, model: string) => browser.get(`/web/schema/${model}.json`);

function validator(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    allowUnionTypes: true,
    strictRequired: false,
  });
  formats.default(ajv);
  ajv.addVocabulary([
    'x-model',
    'x-type',
    'x-labels',
    'x-methods',
    'x-actions',
    'x-result',
    'components',
    'discriminator',
  ]);
  return ajv;
}

/** Schemas of a document by what they stand for; each says what is wrong, or nothing. */
function load(document: Page) {
  const ajv = validator();
  const alone = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"part:')) as object;
  // Each under an address of its own, so that it is compiled once, whoever refers to it.
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema({ ...alone(schema), $id: `part:${name}` });
  }
  const checks = new Map<string, (value: unknown) => string | null>();
  const checkOf = (key: string, schema: object) => {
    const known = checks.get(key);
    if (known) return known;
    const validate = ajv.compile(alone(schema));
    const check = (value: unknown) =>
      validate(value) ? null : ajv.errorsText(validate.errors, { separator: '\n' }).slice(0, 2_000);
    checks.set(key, check);
    return check;
  };
  const named = (name: string) => checkOf(name, { $ref: `#/components/schemas/${name}` });
  const callsOf = (model: string) =>
    (document.components.schemas[`${model}-calls`]?.oneOf ?? []) as readonly CallSchema[];
  return {
    request: (model: string, call: object) => named(`${model}-calls`)(call),
    wrapped: (call: object) => named('Wrapped')(call),
    envelope: (answer: unknown, ok: boolean) => named(ok ? 'Success' : 'Failure')(answer),
    result: (model: string, method: string, result: unknown) => {
      const call = callsOf(model).find(({ properties }) => properties.method.const === method);
      if (!call) return `${model} has no ${method}`;
      return checkOf(`${model} ${method}`, call['x-result'])(result);
    },
    methods: (model: string) => callsOf(model).map(({ properties }) => properties.method.const),
    models: () =>
      Object.keys(document.components.schemas).flatMap((name) =>
        name.endsWith('-calls') ? [name.slice(0, -'-calls'.length)] : [],
      ),
  };
}

/** What cannot be asked for without saying of what. */
const about: Readonly<Record<string, unknown[]>> = {
  'sys.feed': [['cursor', '>', 'now']],
  'sys.external.id': [['model', '=', 'core.country']],
};

/** One call whose request, envelope and result must fit the document. */
async function told(model: string, method: string, args: unknown[], kwargs: object = {}): Promise<unknown> {
  const call = { model, method, args, kwargs };
  expect([model, method, api.request(model, call)]).toEqual([model, method, null]);
  const { status: _, headers: __, ...answer } = await admin.call(call);
  expect([model, method, api.envelope(answer, answer.ok)]).toEqual([model, method, null]);
  expect([model, method, answer.error]).toEqual([model, method, null]);
  expect([model, method, api.result(model, method, answer.result)]).toEqual([model, method, null]);
  return answer.result;
}

describe('the OpenAPI document', () => {
  it('SCH-1 is valid OpenAPI 3.1, has every method, and every schema in it compiles', async () => {
    const { valid, errors } = await new Validator().validate({ ...page } as Record<string, unknown>);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(page.openapi).toBe('3.1.0');
    expect(api.models().length).toBeGreaterThan(50);
    expect(api.methods('core.partner')).toEqual([...rpcMethods.keys()]);
    const refs = new Set(
      [...JSON.stringify(page).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
    );
    expect([...refs].filter((name) => page.components.schemas[name as string] === undefined)).toEqual([]);
  });

  long('SCH-2 what the endpoint answers fits it: records of every model, with all that can be asked for', async () => {
    let records = 0;
    for (const model of api.models()) {
      const fields = Object.keys((page.components.schemas[`${model}-record`] as { properties: Fields }).properties);
      const rows = (await told(model, 'search_read', [about[model] ?? [], fields.slice(0, 190)], {
        limit: 20,
      })) as unknown[];
      records += rows.length;
    }
    expect(records).toBeGreaterThan(200);
    const feed = await told('sys.feed', 'search_read', [[['cursor', '>', 'now']]]);
    expect(feed).toMatchObject([{ operation: 'skip' }]);
  });

  it('SCH-2 calls of every method fit it, and so do refusals', async () => {
    const [country] = (await told('core.country', 'search_read', [[['code', '=', 'NO']], ['name']])) as {
      id: number;
    }[];
    const values = {
      name: 'Nordlicht',
      is_company: true,
      country_id: country?.id,
      child_ids: [['create', { name: 'Ada' }]],
    };
    const id = (await told('core.partner', 'create', [values])) as number;
    await told('core.partner', 'read', [[id], ['name', 'country_id.code', { child_ids: ['name', 'city'] }]]);
    await told('core.partner', 'write', [[id], { city: 'Oslo' }], { base: { city: null } });
    await told('core.partner', 'write', [[id], { city: 'Bergen' }], { dry_run: true });
    await told('core.partner', 'create_many', [[{ name: 'Twice' }]], { external_ids: ['erp.one'], upsert: true });
    await told('core.partner', 'write_many', [[id], {}], {
      each: [{ values: { city: 'Tromsø' }, base: { city: 'Oslo' } }],
    });
    const spec = {
      domain: [['id', '=', id]],
      groupby: ['city'],
      fields: [{ name: 'n', field: 'id', measure: 'count' }],
    };
    await told('core.partner', 'read_group', [spec]);
    await told('core.partner', 'onchange', [{ name: 'x' }, 'name']);
    await told('core.partner', 'call', [id, 'action_archive']);
    await told('core.partner', 'unlink', [[id]]);
    await told('core.partner', 'unlink_many', [[]]);
    expect(api.wrapped({ params: { model: 'core.partner', method: 'search', args: [] } })).toBeNull();
    const refused = await admin.call({ model: 'core.partner', method: 'read', args: [[2_000_000_000]] });
    const { ok, result, error } = refused;
    expect(api.envelope({ ok, result, error }, false)).toBeNull();
  });

  it('SCH-3 refuses what the endpoint refuses: unknown fields, methods, actions, operators and wrong types', () => {
    const refused: readonly (readonly [string, object])[] = [
      ['create', { args: [{ nmae: 'x' }] }],
      ['create', { args: [{ city: 'x' }] }],
      ['create', { args: [{ name: 7 }] }],
      ['create', { args: [{ name: 'x', country_id: 'NO' }] }],
      ['create', { args: [{ name: 'x', id: 7 }] }],
      ['create', { args: [{ name: 'x', child_ids: [['make', {}]] }] }],
      ['search', { args: [[['name', 'is', 'x']]] }],
      ['search', { args: [], kwargs: { limits: 5 } }],
      ['read', { args: ['7'] }],
      ['call', { args: [7, 'action_nothing'] }],
      ['fetch', { args: [] }],
      ['write', { args: [[7], { name: 'x' }], kwargs: { upsert: true } }],
    ];
    const passed = refused.filter(
      ([method, rest]) => api.request('core.partner', { model: 'core.partner', method, ...rest }) === null,
    );
    expect(passed).toEqual([]);
  });
});

describe('SCH-4 under the rights of the caller', () => {
  long('SCH-4 has only models, methods, fields and actions that are open to a person', async () => {
    const seller = await world.user('Sina Seller', ['sale.group_user']);
    const own = await pageOf(seller.browser);
    const mine = load(own);
    expect(mine.methods('sys.api.key')).not.toContain('create');
    expect(mine.models()).not.toContain('sys.access');
    expect(mine.models().length).toBeLessThan(api.models().length);
    for (const model of mine.models()) {
      const fields = Object.keys((own.components.schemas[`${model}-record`] as { properties: Fields }).properties);
      const args = [about[model] ?? [], fields.slice(0, 190)];
      const call = { model, method: 'search_read', args, kwargs: { limit: 1 } };
      const { error } = await seller.browser.call(call);
      expect([model, error]).toEqual([model, null]);
    }
    const cost = (document: Page) =>
      (document.components.schemas['sale.order.line-record'] as { properties: Fields }).properties.unit_cost;
    expect([cost(page), cost(own)]).toEqual([expect.objectContaining({ type: ['number', 'null'] }), undefined]);
    expect((await schemaOf(seller.browser, 'sys.access')).status).toBe(403);
  });

  it('SCH-4 has no more than the scope of a key', async () => {
    const scope = {
      'core.partner': { methods: ['search_read', 'write'], fields: ['name', 'city'] },
      'core.country': ['read'],
    };
    const { secret } = await world.work((env) => createApiKey(env, { userId: 1, name: 's', expiresAt: null, scope }));
    const program = Browser.withKey(world.url, secret);
    const own = await pageOf(program);
    const mine = load(own);
    expect(mine.models()).toEqual(['core.country', 'core.partner']);
    expect(mine.methods('core.partner')).toEqual(['search_read', 'write']);
    const record = own.components.schemas['core.partner-record'] as { properties: Fields };
    expect(Object.keys(record.properties).sort()).toEqual(['city', 'display_name', 'id', 'name']);
    expect((await schemaOf(program, 'sale.order')).status).toBe(403);
    expect(await (await world.browser().get('/web/openapi.json')).json()).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    });
  });
});

it('SCH-5 JSON Schema of one model: records and values, in the words of the reader', async () => {
  const answer = await schemaOf(admin, 'core.partner');
  expect(answer.headers.get('content-type')).toMatch(/^application\/schema\+json/);
  const schema = (await answer.json()) as { properties: Fields; $defs: Record<string, unknown>; $id: string };
  const ajv = validator();
  const isRecord = ajv.compile(schema);
  const isNew = ajv.compile({ $ref: `${schema.$id}#/$defs/create` });
  const rows = await admin.rpc<unknown[]>('core.partner', 'search', [[]]);
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect([row, isRecord(row), isRecord.errors]).toEqual([row, true, null]);
  expect([isNew({ name: 'Ada' }), isNew({ city: 'Oslo' }), isNew({ name: 'Ada', nmae: 1 })]).toEqual([
    true,
    false,
    false,
  ]);
  expect(schema.properties.create_date).toMatchObject({ format: 'date-time', readOnly: true });
  const missing = await schemaOf(admin, 'core.partnr');
  expect([missing.status, await Browser.errorOf(missing)]).toMatchObject([404, { code: 'MODEL_NOT_FOUND' }]);
  const german = await world.user('Greta German', ['base.group_system'], { lang: 'de' });
  expect(await (await schemaOf(german.browser, 'core.country')).json()).toMatchObject({ title: 'Land' });
});
