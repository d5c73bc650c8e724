import { sql } from '@kontor/database';
import { rpcMethods } from '@kontor/kernel';
import { createApiKey } from '@kontor/parts';
import type { ReferenceScreenData } from '@kontor/protocol';
import { isLong } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, type Envelope } from './browser.ts';
import { openBus } from './bus-socket.ts';
import { tellsNothing } from './quiet-routes.ts';
import { servedRoutes } from './served-routes.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';
import { routeWays, rpcWays, type Secret, type Way } from './ways-out.ts';

const layers = ['model', 'rule', 'field', 'company', 'parent', 'scope'] as const;
type Layer = (typeof layers)[number];

let world: TestServer;
/** Sells, and sees their own leads and orders; of the main company. */
let reader: TestUser;
/** May see everything, in the company of the secret. */
let owners: Record<Layer, Browser>;
let readers: Record<Layer, Browser>;
let secrets: Record<Layer, Secret>;

beforeAll(async () => {
  world = await startTestServer({ modules: shippedApps(), demo: true });
  reader = await world.user('Rea Reader', ['crm.group_user', 'sale.group_user', 'contacts.group_user']);
  const admin = await world.signedIn();
  const other = await world.work(async (env) =>
    env
      .sudo()
      .model('core.company')
      .create({ name: 'Südlicht', currency_id: await env.ref('base.EUR') }),
  );
  const everything = ['base.group_system', 'crm.group_manager', 'sale.group_manager', 'project.group_manager'];
  const elsewhere = await world.user('Otto Owner', everything, { company_id: other, company_ids: [['set', [other]]] });
  secrets = await hideSecrets(other);
  const key = await world.work((env) =>
    createApiKey(env, { userId: 1, name: 'leads', expiresAt: null, scope: { 'crm.lead': [...rpcMethods.keys()] } }),
  );
  const own = reader.browser;
  readers = {
    model: own,
    rule: own,
    field: own,
    company: own,
    parent: own,
    scope: Browser.withKey(world.url, key.secret),
  };
  owners = {
    model: admin,
    rule: admin,
    field: admin,
    company: elsewhere.browser,
    parent: elsewhere.browser,
    scope: admin,
  };
  for (const layer of layers) {
    const { model, id, text } = secrets[layer];
    await owners[layer].json('/web/chatter/post', { model, id, body: `About ${text}` });
  }
});
afterAll(() => world.close());

async function hideSecrets(company: number): Promise<Record<Layer, Secret>> {
  return world.work(async (env) => {
    const system = env.sudo();
    const make = (model: string, values: Record<string, unknown>) => system.model(model).create(values);
    const shared = await make('core.partner', { name: 'Shared Carrier' });
    const carrier = (id: number, link: string | null, ...paths: readonly unknown[]) => ({
      model: 'core.partner',
      id,
      link,
      paths,
    });
    const project = await make('project.project', { name: 'Hush Model', partner_id: shared, visibility: 'everyone' });
    const lead = await make('crm.lead', { name: 'Hush Rule', partner_id: shared, user_id: 1 });
    const [product] = await system.model('product.product').search([['can_be_sold', '=', true]], { limit: 1 });
    const line = ['create', { product_id: product, unit_cost: '797.37' }];
    const order = await make('sale.order', { partner_id: shared, user_id: reader.id, line_ids: [line] });
    const [costly = 0] = await system.model('sale.order.line').search([['order_id', '=', order]]);
    const far = await make('core.partner', { name: 'Hush Company', company_id: company });
    const address = await make('core.partner.email', { partner_id: far, address: 'hush.parent@example.com' });
    const own = await make('crm.lead', { name: 'Own lead', user_id: reader.id });
    const scoped = await make('core.partner', { name: 'Hush Scope' });
    const ofScoped = await make('crm.lead', { name: 'Lead of the key', user_id: reader.id });
    // As if somebody had seen both: a rule of the company would refuse the link, and the names would be kept in the lead.
    await env.db.execute(sql`update crm_lead set partner_id = ${far} where id = ${own}`);
    await env.db.execute(sql`update crm_lead set partner_id = ${scoped} where id = ${ofScoped}`);
    const leadOf = (id: number, ...paths: readonly unknown[]) => ({ model: 'crm.lead', id, link: 'partner_id', paths });
    return {
      model: {
        ...{ text: 'Hush Model', model: 'project.project', id: project, field: 'name' },
        carrier: carrier(shared, null, 'project_count', 'project_ids', { project_ids: ['name'] }),
      },
      rule: {
        ...{ text: 'Hush Rule', model: 'crm.lead', id: lead, field: 'name' },
        carrier: carrier(shared, null, 'lead_ids', { lead_ids: ['name', 'display_name'] }),
      },
      field: {
        ...{ text: '797.37', model: 'sale.order.line', id: costly, field: 'unit_cost' },
        carrier: { model: 'sale.order', id: order, link: null, paths: ['margin', { line_ids: ['unit_cost'] }] },
      },
      company: {
        ...{ text: 'Hush Company', model: 'core.partner', id: far, field: 'name' },
        carrier: leadOf(own, 'partner_id.name', 'partner_id.display_name', 'partner_id.email_ids'),
      },
      parent: {
        ...{ text: 'hush.parent@', model: 'core.partner.email', id: address, field: 'address' },
        carrier: { ...leadOf(own, 'partner_id.email_ids'), link: null },
      },
      scope: {
        ...{ text: 'Hush Scope', model: 'core.partner', id: scoped, field: 'name' },
        carrier: leadOf(ofScoped, 'partner_id.name', 'partner_id.display_name'),
      },
    };
  });
}

/** What the framework serves of files is code and pictures. */
const isFile = (route: string) => /^GET \/web\/(static|addon)/.test(route);

describe('SEC-1 the ways are all there are', () => {
  it('SEC-1 every method of the endpoint is a way', () => {
    expect(Object.keys(rpcWays).sort()).toEqual([...rpcMethods.keys()].sort());
  });

  it('SEC-1 every route is a way, or says why it tells nothing of records', () => {
    const served = servedRoutes(world).map(({ verb, path }) => `${verb} ${path}`);
    const listed = [...Object.keys(routeWays), ...Object.keys(tellsNothing)];
    expect(served.filter((route) => !isFile(route)).sort()).toEqual(listed.sort());
  });
});

const ways: Readonly<Record<string, Way>> = { ...rpcWays, ...routeWays };

describe.each(layers)('SEC-1 what the layer %s hides', (layer) => {
  it.each(Object.keys(ways))('SEC-1 does not come out by %s', async (name) => {
    const way = ways[name] as Way;
    const secret = secrets[layer];
    expect(await way.ask(readers[layer], secret)).not.toContain(secret.text);
  });

  long('SEC-1 comes out by the ways that show it, for those who may see it', async () => {
    const secret = secrets[layer];
    const silent: string[] = [];
    for (const [name, { ask, isShown }] of Object.entries(ways)) {
      const isMeant = typeof isShown === 'function' ? isShown(secret) : isShown;
      if (isMeant && !(await ask(owners[layer], secret)).includes(secret.text)) silent.push(name);
    }
    expect(silent).toEqual([]);
  });
});

describe('SEC-1 what is kept elsewhere, and what is sent', () => {
  long('SEC-1 no model has a copy that those may read who may not read the original', async () => {
    const found: string[] = [];
    for (const model of world.kernel.registry.models.keys()) {
      for (const layer of ['model', 'scope'] as const) {
        const { result, error } = await readers[layer].call({
          model,
          method: 'search',
          args: [[]],
          kwargs: { order: 'id' },
        });
        const told = JSON.stringify([result, error]);
        const hidden = layers.filter((each) => readers[each] === readers[layer] && told.includes(secrets[each].text));
        if (hidden.length > 0) found.push(`${model}: ${hidden.join()}`);
      }
    }
    expect(found).toEqual([]);
  });

  it('SEC-1 the bus carries ids, and none of models and companies that are not the reader’s', async () => {
    const bus = await openBus(reader.browser);
    for (const layer of layers) {
      const { model, id, field, text } = secrets[layer];
      const value = layer === 'field' ? '797.38' : layer === 'parent' ? `x${text}example.com` : `${text} again`;
      await owners[layer].rpc(model, 'write', [[id], { [field]: value }]);
    }
    const { id } = secrets.rule.carrier;
    await owners.model.rpc('core.partner', 'write', [[id], { phone: '1' }]);
    await expect.poll(() => bus.of('record.updated')).toContainEqual({ model: 'core.partner', id });
    const said = JSON.stringify(bus.messages);
    for (const layer of layers) expect(said).not.toContain(secrets[layer].text);
    const told = bus.of('record.updated').map((payload) => JSON.stringify(payload));
    for (const layer of ['model', 'company'] as const) {
      expect(told).not.toContain(JSON.stringify({ model: secrets[layer].model, id: secrets[layer].id }));
    }
    await bus.close();
  });
});

describe('the reference of a database', () => {
  const ask = async (browser: Browser, model = '') => {
    const answer = await browser.get(`/web/reference?model=${model}`, { accept: 'application/json' });
    const { result, error } = (await answer.json()) as Envelope;
    return { ...(result as ReferenceScreenData), code: error?.code };
  };
  const fieldsOf = ({ model }: ReferenceScreenData) => model?.fields.map(({ name }) => name) ?? [];

  it('REF-3 has what its reader may read, and tells nothing of the rest', async () => {
    const own = (await ask(reader.browser)).models.map(({ name }) => name);
    expect(own).toEqual(expect.arrayContaining(['sale.order', 'core.partner']));
    expect(own.filter((name) => ['project.project', 'sys.rule', 'sys.access'].includes(name))).toEqual([]);
    const [hidden, unknown] = [await ask(reader.browser, 'project.project'), await ask(reader.browser, 'no.model')];
    expect([hidden.code, hidden.model, unknown.code]).toEqual(['MODEL_NOT_FOUND', undefined, 'MODEL_NOT_FOUND']);
    expect(fieldsOf(await ask(reader.browser, 'sale.order.line'))).not.toContain('unit_cost');
    expect(fieldsOf(await ask(owners.field, 'sale.order.line'))).toContain('unit_cost');
    expect(fieldsOf(await ask(owners.model, 'core.user'))).not.toContain('password_hash');
  });

  it('REF-3 says what one may do, and by which rules one reaches which records', async () => {
    const { model: order } = await ask(reader.browser, 'sale.order');
    expect(order).toMatchObject({ rights: { read: true, create: true }, app: 'Sales' });
    const rules = order?.rules ?? [];
    expect(rules).toContainEqual({
      ...{ kind: 'rule', name: 'Own orders, and those of nobody', isForAll: false, domain: null },
      operations: ['read', 'write', 'create', 'unlink'],
    });
    expect(rules).toContainEqual({ kind: 'company' });
    const { model: same } = await ask(owners.model, 'sale.order');
    expect(JSON.stringify(same?.rules)).not.toContain('"domain":null');
    const { model: line } = await ask(reader.browser, 'sale.order.line');
    expect(line?.rules).toContainEqual({ kind: 'part', model: 'sale.order', label: 'Sales order' });
    expect(order?.actions.map(({ name }) => name)).toEqual(expect.arrayContaining(['action_confirm', 'action_copy']));
  });

  long('REF-3 has calls that work as they are', async () => {
    const { models } = await ask(owners.model);
    const asked = isLong ? models : models.filter(({ name }, at) => at % 8 === 0 || name === 'sys.external.id');
    expect(asked.length).toBeGreaterThan(8);
    const refused: string[] = [];
    for (const { name } of asked) {
      const { model } = await ask(owners.model, name);
      for (const { method, body } of model?.examples ?? []) {
        if (method !== 'search_read' && method !== 'read_group') continue;
        const { error } = await owners.model.call(JSON.parse(body));
        if (error) refused.push(`${name} ${method}: ${error.message}`);
      }
    }
    expect(refused).toEqual([]);
    const { model: partner } = await ask(owners.model, 'core.partner');
    const made = partner?.examples.find(({ method }) => method === 'create');
    const { result } = await owners.model.call(JSON.parse(made?.body ?? ''));
    expect(result).toMatchObject({ dry_run: true });
  });
});
