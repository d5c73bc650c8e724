import { assembleRegistry, defineModel, fields, inheritModel } from '@kontor/orm';
import { describe, expect, it } from 'vitest';
import { widgetExample } from '../docs/views-page.ts';
import { grammar } from '../grammar/grammar.ts';
import type { TagSpec } from '../grammar/tag-spec.ts';
import { clientWidgets } from '../grammar/widgets.ts';
import { checkView, composeView, toArch, type ViewNode } from '../index.ts';
import { checkShape } from '../parse/check-shape.ts';
import { parseNode } from '../parse/parse-view.ts';
import { writeXml } from '../parse/write-xml.ts';
import { exampleModules, exampleRegistry } from './example-registry.ts';
import { exampleContext, person, view } from './example-world.ts';

const orderForm = `<form id="order_form" model="sale.order">
  <group label="Customer"><field name="partner_id" groups="base.group_user"/><field name="payment_days"/></group>
  <field name="notes"/>
</form>`;

describe('examples of the grammar', () => {
  it.each(Object.entries(grammar))('VIEW-1 %s', (_, spec) => {
    load(placed(spec, spec.example));
  });

  const attributes = Object.entries(grammar).flatMap(([kind, spec]) =>
    Object.keys(spec.attributes).map((name) => [kind, name, spec] as const),
  );
  it.each(attributes)('VIEW-1 %s: %s', (_, name, spec) => {
    const attribute = spec.attributes[name];
    const example = parse(spec.example);
    const given = { ...example.attributes, ...attribute?.with, [name]: attribute?.example ?? '' };
    load(placed(spec, writeXml({ ...example, attributes: given })));
  });
});

const addressFields = { email: fields.char({}), phone: fields.char({}), website: fields.char({}) };
const more = defineModel('core.group', { label: 'Group', fields: { name: fields.char({ required: true }) } });
/** The order with fields that only widgets are for; the views that are made for it stay small. */
const widgetRegistry = assembleRegistry([
  ...exampleModules,
  {
    module: 'widgets',
    definitions: [
      more,
      inheritModel('sale.order', {
        fields: {
          ...addressFields,
          hours: fields.float({}),
          lang: fields.char({}),
          tz: fields.char({}),
          contract: fields.binary({}),
          filter: fields.json({}),
          filter_model: fields.char({}),
          group_ids: fields.many2many('core.group'),
        },
      }),
    ],
  },
]);

describe('examples of widgets', () => {
  it.each([...clientWidgets])('VIEW-1 REF-2 %s', (name, { example, types }) => {
    const field = widgetRegistry.model('sale.order').fields.get(example.field);
    expect(types ?? [field?.spec.type]).toContain(field?.spec.type);
    const form = parse(`<form id="order_form" model="sale.order">${widgetExample(name, example)}</form>`);
    checkView(form, { ...exampleContext, registry: widgetRegistry });
    const { arch } = toArch({ view: form, search: null, registry: widgetRegistry, viewer: person() });
    expect(JSON.stringify(arch)).toContain(`"widget":"${name}"`);
  });
});

function placed(spec: TagSpec, xml: string): string {
  return spec.within === undefined ? xml : spec.within.replace('…', xml);
}

function load(xml: string): void {
  const node = parse(xml);
  checkShape(node, node.tag);
  if (node.tag === 'menu') return;
  const whole = node.tag === 'inherit' ? composeView(view(orderForm), [node]) : node;
  checkView(whole, exampleContext);
  if (whole.tag === 'action' || whole.tag === 'search') return;
  const { arch } = toArch({ view: whole, search: null, registry: exampleRegistry, viewer: person() });
  expect(arch).toHaveProperty(whole.tag);
}

function parse(xml: string): ViewNode {
  return parseNode(xml, { addon: 'sale', file: 'docs/views.md' });
}
