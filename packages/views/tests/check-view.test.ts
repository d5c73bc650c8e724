import { describe, expect, it } from 'vitest';
import { checkView, clientWidgets, composeView, type WidgetSpec } from '../index.ts';
import { checkShape } from '../parse/check-shape.ts';
import { parseNode } from '../parse/parse-view.ts';
import { exampleContext, messageOf, view } from './example-world.ts';

const list = (inside: string, attributes = '') => `<list id="l" model="sale.order"${attributes}>\n${inside}</list>`;
const form = (inside: string) => `<form id="f" model="sale.order">\n${inside}</form>`;
const search = (inside: string) => `<search id="s" model="sale.order">\n${inside}</search>`;
const filter = (domain: string) => search(`<filter name="a" label="A" domain='${domain}'/>`);

function check(xml: string): void {
  const node = parseNode(xml, { addon: 'sale', file: 'views/order.xml' });
  checkShape(node, node.tag);
  checkView(node, exampleContext);
}

const mistakes: readonly (readonly [what: string, xml: string, message: string])[] = [
  ['model', '<list id="l" model="sale.ordre"/>', '1: There is no model "sale.ordre". Did you mean "sale.order"?'],
  [
    'field',
    list('<field name="parner_id"/>'),
    '2: <field>: sale.order has no field "parner_id". Did you mean "partner_id"?',
  ],
  ['secret field', list('<field name="secret"/>'), 'sale.order.secret is secret and shown to nobody.'],
  [
    'field of a related model',
    form('<field name="line_ids">\n<list><field name="qtty"/></list></field>'),
    '3: <field>: sale.order.line has no field "qtty". Did you mean "qty"?',
  ],
  [
    'lines of what has none',
    form('<field name="name"><list><field name="id"/></list></field>'),
    'name is char and takes no <list>; only x2many fields do.',
  ],
  [
    'type of a field',
    list('', ' handle="name"'),
    '1: <list>: "handle" takes a field of type integer; sale.order.name is char.',
  ],
  ['handle that is not stored', list('', ' handle="line_count"'), '"line_count" is not stored and keeps no order.'],
  [
    'condition',
    list(`<field name="name" invisible='[["stat", "=", "x"]]'/>`),
    'sale.order has no field "stat". Did you mean "state"?',
  ],
  [
    'condition through lines',
    form(`<field name="name" invisible='[["line_ids.qty", ">", 1]]'/>`),
    '"line_ids.qty" goes through line_ids, which holds many records.',
  ],
  [
    'path that ends early',
    form(`<field name="name" readonly='[["name.x", "=", 1]]'/>`),
    'sale.order.name is not a relation: "name.x" cannot go through it.',
  ],
  [
    'field at the end of a path',
    form(`<field name="name" readonly='[["partner_id.emial", "=", "x"]]'/>`),
    'core.partner has no field "emial". Did you mean "email"?',
  ],
  [
    'value of a selection',
    list(`<field name="name" invisible='[["state", "=", "drfat"]]'/>`),
    '"state" has no value "drfat". Did you mean "draft"?',
  ],
  [
    'values of a selection',
    filter('[["state", "in", ["draft", "gone"]]]'),
    '"state" has no value "gone". It has draft, sale, cancel.',
  ],
  [
    'set of a selection',
    filter('[["state", "in", "runing"]]'),
    '2: <filter>: "state" has no set "runing". Did you mean "running"?',
  ],
  ['set where a value belongs', filter('[["state", "=", "running"]]'), '"state" has no value "running".'],
  ['set of what is no selection', filter('[["name", "in", "running"]]'), '"domain" cannot be asked.'],
  [
    'condition among the options of a widget',
    list(`<field name="date_end" widget="remaining_days" options='{"done": [["stat", "=", "sale"]]}'/>`),
    '2: <field>: sale.order has no field "stat". Did you mean "state"?',
  ],
  ['value of another type', filter('[["payment_days", ">", "many"]]'), '"domain" cannot be asked.'],
  [
    'domain',
    filter('[["partnr_id.name", "=", "x"]]'),
    '2: <filter>: sale.order has no field "partnr_id". Did you mean "partner_id"?',
  ],
  [
    'domain of a relation',
    form(`<field name="partner_id" domain='[["is_compny", "=", true]]'/>`),
    'core.partner has no field "is_compny". Did you mean "is_company"?',
  ],
  [
    'domain of what is no relation',
    form(`<field name="name" domain='[["a", "=", 1]]'/>`),
    'name is not a relation and takes no domain.',
  ],
  [
    'decoration',
    list('', ` decoration-muted='[["actve", "=", false]]'`),
    'sale.order has no field "actve". Did you mean "active"?',
  ],
  ['order', list('', ' order="-date_ordr"'), 'sale.order has no field "date_ordr". Did you mean "date_order"?'],
  ['order by lines', list('', ' order="line_ids"'), 'Records cannot be sorted by "line_ids".'],
  ['group', list('', ' group-by="image"'), 'Records cannot be grouped by "image".'],
  ['granularity of what is no date', list('', ' group-by="state:month"'), '"state" is not a date and has no month.'],
  [
    'object action',
    form('<header>\n<button name="action_confrim" label="A"/></header>'),
    '3: <button>: sale.order has no action "action_confrim". Did you mean "action_confirm"?',
  ],
  [
    'command of the client',
    form('<header><button name="rest_password" type="client" label="A"/></header>'),
    'The client has no command "rest_password".',
  ],
  [
    'window action',
    form('<header><button name="ordres" type="action" label="A"/></header>'),
    'There is no action "sale.ordres". Did you mean "sale.orders"?',
  ],
  [
    'group of users',
    form('<field name="name" groups="base.group_usr"/>'),
    'There is no group "base.group_usr". Did you mean "base.group_user"?',
  ],
  [
    'own group of users',
    form('<field name="name" groups="group_manger"/>'),
    'There is no group "sale.group_manger". Did you mean "sale.group_manager"?',
  ],
  ['widget', list('<field name="state" widget="bagde"/>'), 'There is no widget "bagde". Did you mean "badge"?'],
  [
    'widget of another type',
    list('<field name="name" widget="statusbar"/>'),
    'The widget "statusbar" shows selection, many2one; name is char.',
  ],
  ['sum of a text', list('<field name="name" sum="S"/>'), 'sale.order.name (char) has no sum.'],
  [
    'measure',
    '<graph id="g" model="sale.order"><measure name="state"/></graph>',
    'sale.order.state (selection) has no sum.',
  ],
  [
    'axis',
    '<pivot id="p" model="sale.order"><row name="state" interval="day"/></pivot>',
    '"state" is not a date and has no day.',
  ],
  [
    'axis of lines',
    '<pivot id="p" model="sale.order"><row name="line_ids"/></pivot>',
    'Records cannot be grouped by "line_ids".',
  ],
  [
    'start of a calendar',
    '<calendar id="c" model="sale.order" start="name"/>',
    '"start" takes a field of type date or datetime; sale.order.name is char.',
  ],
  [
    'place on a map',
    '<map id="m" model="sale.order" latitude="partner_id.latitud" longitude="partner_id.longitude"/>',
    'core.partner has no field "latitud". Did you mean "latitude"?',
  ],
  [
    'kanban group',
    '<kanban id="k" model="sale.order" group-by="date_order"><card><title><field name="name"/></title></card></kanban>',
    '"group-by" takes a field of type many2one or selection or boolean or char',
  ],
  [
    'hierarchy of a text',
    search('<field name="name" operator="child_of"/>'),
    '"name" is not a relation and has no hierarchy.',
  ],
  [
    'default of an action',
    `<action id="a" label="A" model="sale.order" context='{"default_stat": "draft"}'/>`,
    'sale.order has no field "stat" for "default_stat". Did you mean "state"?',
  ],
  [
    'domain of an action',
    `<action id="a" label="A" model="sale.order" domain='[["x", "=", 1]]'/>`,
    'sale.order has no field "x".',
  ],
  [
    'view type of an action',
    '<action id="a" label="A" model="sale.order" views="list,kanbn"/>',
    '"views" names a view type "kanbn" that does not exist. Did you mean "kanban"?',
  ],
];

describe('checkView', () => {
  it.each(mistakes)('VIEW-5 %s', (_, xml, message) => {
    const thrown = messageOf(() => check(xml));
    expect(thrown).toMatch(/^sale: views\/order\.xml:\d: /);
    expect(thrown).toContain(message);
  });

  it('VIEW-5 tokens, names of related records and emptiness are fine in domains', () => {
    check(
      filter(
        '[["user_id", "=", "$uid"], ["date_order", ">=", "$today"], ["partner_id", "ilike", "x"], ["state", "!=", false]]',
      ),
    );
    check(filter('[["line_ids.product", "ilike", "x"], ["partner_id", "child_of", 1]]'));
  });

  it('VIEW-5 a mistake in an inherit is told at its own line, also in an attribute that it set', () => {
    const base = view(form('<field name="name"/>'));
    const inherit = view(
      `<inherit view="sale.f"><xpath expr="//field" position="attributes">\n<attribute name="invisible">[["stat", "=", 1]]</attribute></xpath></inherit>`,
      'views/more.xml',
      'more',
    );
    expect(messageOf(() => checkView(composeView(base, [inherit]), exampleContext))).toContain(
      'more: views/more.xml:2: <field>: sale.order has no field "stat".',
    );
  });

  it('VIEW-5 an addon adds widgets of its own', () => {
    const node = view(list('<field name="name" widget="barcode"/>'));
    expect(messageOf(() => checkView(node, exampleContext))).toContain('There is no widget "barcode".');
    const widgets = new Map<string, WidgetSpec>([...clientWidgets, ['barcode', { types: ['char'], doc: 'Bars.' }]]);
    checkView(node, { ...exampleContext, widgets });
  });
});
