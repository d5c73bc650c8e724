import { assembleRegistry, defineModel, type Env, fields, mayAccessModel } from '@kontor/orm';
import { viewTypes } from '@kontor/protocol';
import { createTestEnv, expectQueries, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatedTypes, generateView, toArch, viewerOf } from '../index.ts';
import { exampleModules } from './example-registry.ts';
import { archOf, view } from './example-world.ts';

let world: TestWorld;
let user: Env;

beforeAll(async () => {
  world = await createTestEnv(exampleModules);
  user = world.as({ groups: new Set(['base.group_user']) });
  const env = world.as({ uid: 0 }).sudo();
  const partner = await env.model('core.partner').create({ name: 'Ada', email: 'ada@example.org', is_company: true });
  const currency = await env.model('core.currency').create({ name: 'EUR' });
  const tag = await env.model('sale.tag').create({ name: 'Big', color: 3 });
  await env.model('sale.order').create({
    name: 'S1',
    partner_id: partner,
    currency_id: currency,
    tag_ids: [['link', tag]],
    date_start: '2026-01-02',
    date_end: '2026-01-05',
    line_ids: [['create', { product: 'Chair', qty: 2, price: '9.50' }]],
  });
});
afterAll(() => world.drop());

describe('what the records of a view need', () => {
  it('VIEW-8 names of many2ones, currencies, tags with colours, lines, and what conditions ask about', () => {
    const { projection } = archOf(`<form id="f" model="sale.order">
      <header><button name="action_confirm" label="A" invisible='[["state", "=", "sale"], ["partner_id.is_company", "=", true]]'/></header>
      <field name="amount_total"/><field name="tag_ids" widget="tags"/><field name="partner_id"/>
      <field name="line_ids"><list decoration-muted='[["order_id.state", "=", "draft"]]'><field name="product"/></list></field>
    </form>`);
    expect(projection).toEqual([
      'display_name',
      'active',
      'amount_total',
      'currency_id',
      'currency_id.display_name',
      'partner_id',
      'partner_id.display_name',
      'state',
      'partner_id.is_company',
      { tag_ids: ['display_name', 'color'], line_ids: ['display_name', 'product', 'order_id.state'] },
    ]);
  });

  it('VIEW-8 files are loaded with a form, and not with a list, a card or the lines of a form; pictures are', () => {
    const paper = defineModel('t.paper', {
      fields: {
        name: fields.char(),
        scan: fields.binary(),
        photo: fields.image(),
        parent_id: fields.many2one('t.paper'),
        child_ids: fields.one2many('t.paper', 'parent_id'),
      },
    });
    const registry = assembleRegistry([{ module: 't', definitions: [paper] }]);
    const shown = '<field name="scan"/><field name="photo"/>';
    const on = (type: string, inside: string) =>
      archOf(`<${type} id="v" model="t.paper">${inside}</${type}>`, { registry }).projection;
    expect(on('form', shown)).toEqual(expect.arrayContaining(['scan', 'photo']));
    for (const projection of [
      on('list', `<field name="name"/>${shown}`),
      on('kanban', `<card><title><field name="name"/></title>${shown}</card>`),
    ]) {
      expect(projection).toContain('photo');
      expect(projection).not.toContain('scan');
    }
    const lines = on('form', `<field name="child_ids"><list><field name="name"/>${shown}</list></field>`);
    expect(lines).toContainEqual({ child_ids: expect.arrayContaining(['name', 'photo']) });
    expect(JSON.stringify(lines)).not.toContain('scan');
  });

  it.each([
    ['graph', '<group-by name="state"/><measure name="amount_total"/>', ''],
    ['pivot', '<row name="state"/><measure name="amount_total"/>', ''],
    ['cohort', '', ' start="date_start" stop="date_end" interval="month"'],
  ])('VIEW-8 a %s needs no records, and has the fields that people may choose', (type, inside, attributes) => {
    const { projection, arch } = archOf(`<${type} id="v" model="sale.order"${attributes}>${inside}</${type}>`);
    expect(projection).toEqual([]);
    const used = type === 'cohort' ? ['date_start', 'date_end'] : ['state', 'amount_total', 'partner_id'];
    expect(arch.fields.map((field) => field.name)).toEqual(expect.arrayContaining(used));
  });

  it('VIEW-8 every generated view of every model can be read with its projection', async () => {
    for (const model of world.registry.models.values()) {
      for (const type of generatedTypes(model)) {
        const node = generateView(model, type);
        if (!node) continue;
        const output = toArch({ view: node, search: null, registry: world.registry, viewer: viewerOf(user) });
        await user.model(model.name).searchRead([], output.projection, { limit: 5 });
      }
    }
    expect(viewTypes).toHaveLength(9);
  });

  it('VIEW-8 a form with lines and tags is one statement for the record and one for each x2many', async () => {
    const node = view(`<form id="f" model="sale.order"><field name="partner_id"/><field name="amount_total"/>
      <field name="tag_ids" widget="tags"/><field name="line_ids"/></form>`);
    const { projection } = toArch({ view: node, search: null, registry: world.registry, viewer: viewerOf(user) });
    const [record] = await expectQueries(world.database, 3, () => user.model('sale.order').searchRead([], projection));
    expect(record).toMatchObject({
      'partner_id.display_name': 'Ada',
      'currency_id.display_name': 'EUR',
      tag_ids: [{ display_name: 'Big', color: 3 }],
      line_ids: [{ product: 'Chair' }],
    });
  });

  it('VIEW-7 with rights of its own the projection never asks for what is denied', async () => {
    const open = { group: null, read: true, write: true, create: true, unlink: true };
    const access = new Map([['sale.order', [open]]]);
    const narrow = world.as({ groups: new Set(['base.group_user']) }, world.database, { access });
    const order = world.registry.model('sale.order');
    for (const type of generatedTypes(order)) {
      const node = generateView(order, type);
      if (!node) continue;
      const output = toArch({ view: node, search: null, registry: world.registry, viewer: viewerOf(narrow) });
      await narrow.model('sale.order').searchRead([], output.projection);
      expect(JSON.stringify(output)).not.toMatch(/"cost"|"secret"|line_ids/);
    }
    expect(mayAccessModel(narrow, world.registry.model('sale.order.line'), 'read')).toBe(false);
  });
});
