import { describe, expect, it } from 'vitest';
import { composeView } from '../index.ts';
import { writeXml } from '../parse/write-xml.ts';
import { messageOf, view } from './example-world.ts';

const base = view(`<form id="order_form" model="sale.order">
  <title><field name="name"/></title>
  <group label="Customer"><field name="partner_id" groups="group_manager"/><field name="payment_days"/></group>
  <field name="notes"/>
</form>`);

function change(xpath: string): string {
  const inherit = view(`<inherit view="sale.order_form">\n${xpath}\n</inherit>`, 'views/more.xml', 'more');
  return flat(composeView(base, [inherit]));
}

/** The XML without the lines that it was written on. */
function flat(node: typeof base): string {
  return writeXml(node).replace(/\n/g, '');
}

const title = '<title><field name="name"/></title>';
const start = `<form id="order_form" model="sale.order">${title}<group label="Customer">`;
const partner = '<field name="partner_id" groups="group_manager"/>';
const days = '<field name="payment_days"/>';
const end = '</group><field name="notes"/></form>';

describe('positions', () => {
  it('VIEW-3 before', () => {
    const changed = change(
      `<xpath expr="//field[@name='payment_days']" position="before"><field name="color"/></xpath>`,
    );
    expect(changed).toBe(`${start}${partner}<field name="color"/>${days}${end}`);
  });

  it('VIEW-3 after, several nodes in their order', () => {
    const changed = change(
      `<xpath expr="//field[@name='partner_id']" position="after"><field name="color"/><separator/></xpath>`,
    );
    expect(changed).toBe(`${start}${partner}<field name="color"/><separator/>${days}${end}`);
  });

  it('VIEW-3 inside comes last', () => {
    const changed = change(`<xpath expr="//group[@label='Customer']" position="inside"><field name="color"/></xpath>`);
    expect(changed).toBe(`${start}${partner}${days}<field name="color"/>${end}`);
  });

  it('VIEW-3 replace, by others or by nothing', () => {
    expect(change(`<xpath expr="//group/field[2]" position="replace"><field name="color"/></xpath>`)).toBe(
      `${start}${partner}<field name="color"/>${end}`,
    );
    expect(change(`<xpath expr="//field[@name='notes']" position="replace"/>`)).toBe(
      `${start}${partner}${days}</group></form>`,
    );
  });

  it('VIEW-3 replace of the root keeps its id and model', () => {
    expect(change(`<xpath expr="/form" position="replace"><form create="false">${days}</form></xpath>`)).toBe(
      `<form create="false" id="order_form" model="sale.order">${days}</form>`,
    );
  });

  it('VIEW-3 attributes are set, removed and changed as lists', () => {
    const attributes = (inside: string) =>
      change(`<xpath expr="//field[@name='partner_id']" position="attributes">${inside}</xpath>`);
    const withPartner = (text: string) => `${start}<field name="partner_id"${text}/>${days}${end}`;
    expect(attributes(`<attribute name="invisible">[["state", "=", "draft"]]</attribute>`)).toBe(
      withPartner(' groups="group_manager" invisible="[[&quot;state&quot;, &quot;=&quot;, &quot;draft&quot;]]"'),
    );
    expect(attributes('<attribute name="groups"/>')).toBe(withPartner(''));
    expect(attributes('<attribute name="groups" add="group_boss, base.group_user"/>')).toBe(
      withPartner(' groups="sale.group_manager,more.group_boss,base.group_user"'),
    );
    expect(attributes('<attribute name="groups" remove="sale.group_manager"/>')).toBe(withPartner(''));
    expect(attributes('<attribute name="groups">group_boss</attribute>')).toBe(
      withPartner(' groups="more.group_boss"'),
    );
  });

  it('VIEW-3 move takes an element along, also into a new one and around itself', () => {
    const move = (expr: string) => `<xpath expr="${expr}" position="move"/>`;
    expect(change(`<xpath expr="//group" position="before">${move("//field[@name='notes']")}</xpath>`)).toBe(
      `<form id="order_form" model="sale.order">${title}<field name="notes"/><group label="Customer">${partner}${days}</group></form>`,
    );
    expect(
      change(
        `<xpath expr="//field[@name='notes']" position="after"><group label="New">${move('//group/field[2]')}</group></xpath>`,
      ),
    ).toBe(`${start}${partner}</group><field name="notes"/><group label="New">${days}</group></form>`);
    expect(
      change(`<xpath expr="//group/field[2]" position="replace"><group>${move('//group/field[2]')}</group></xpath>`),
    ).toBe(`${start}${partner}<group>${days}</group>${end}`);
    expect(change(`<xpath expr="//group" position="inside">${move('//group/field[1]')}</xpath>`)).toBe(
      `${start}${days}${partner}${end}`,
    );
  });

  it('VIEW-3 XPath 1.0 is whole: axes, functions, unions', () => {
    for (const expr of [
      "//field[starts-with(@name, 'pay')]",
      "//field[@name='partner_id']/following-sibling::field[1]",
      '//group/*[last()]',
      "//nothing | //field[@name='payment_days']",
      'descendant::field[contains(@name, "days") and not(@groups)]',
    ]) {
      expect(change(`<xpath expr='${expr.replaceAll("'", '&apos;')}' position="replace"/>`)).toBe(
        `${start}${partner}${end}`,
      );
    }
  });

  it('VIEW-3 the first element found is the one that changes', () => {
    expect(
      change('<xpath expr="//field" position="attributes"><attribute name="label">A</attribute></xpath>'),
    ).toContain('<title><field name="name" label="A"/></title>');
  });

  it('VIEW-3 a later inherit sees what an earlier one did; the view itself stays as it was', () => {
    const before = writeXml(base);
    const first = view(
      '<inherit view="sale.order_form"><xpath expr="//group" position="inside"><field name="color"/></xpath></inherit>',
    );
    const second = view(
      `<inherit view="sale.order_form"><xpath expr="//field[@name='color']" position="attributes"><attribute name="label">C</attribute></xpath></inherit>`,
    );
    expect(flat(composeView(base, [first, second]))).toContain('<field name="color" label="C"/>');
    expect(writeXml(base)).toBe(before);
    expect(flat(composeView(base, []))).toBe(flat(base));
  });
});

const mistakes: readonly (readonly [what: string, xpath: string, message: string])[] = [
  [
    'a name that is close to one',
    `<xpath expr="//field[@name='parner_id']" position="replace"/>`,
    `more: views/more.xml:2: //field[@name='parner_id'] finds nothing in sale.order_form. The closest is <field name="partner_id"> (sale: views/order.xml:3).`,
  ],
  [
    'a name that is close to none',
    `<xpath expr="//field[@name='zzz']" position="replace"/>`,
    'The names of <field> there are name, partner_id, payment_days, notes.',
  ],
  [
    'a tag that is close to one',
    '<xpath expr="//gruop" position="replace"/>',
    'The closest is <group label="Customer"> (sale: views/order.xml:3).',
  ],
  [
    'an element that is elsewhere',
    `<xpath expr="/form/field[@name='partner_id']" position="replace"/>`,
    '<field name="partner_id"> (sale: views/order.xml:3) is elsewhere in the view, in <group label="Customer">.',
  ],
  [
    'another label',
    `<xpath expr="//group[@label='Custmer']" position="replace"/>`,
    'The closest is <group label="Customer">',
  ],
  ['no XPath', '<xpath expr="//group[" position="replace"/>', '2: "//group[" is not an XPath expression.'],
  [
    'an unknown function',
    '<xpath expr="//group[nope()]" position="replace"/>',
    '2: "//group[nope()]" is not an XPath expression.',
  ],
  [
    'a number',
    '<xpath expr="count(//field)" position="replace"/>',
    '2: count(//field) gives a number, not an element.',
  ],
  [
    'an attribute',
    '<xpath expr="//field/@name" position="replace"/>',
    '2: //field/@name finds something that is not an element.',
  ],
  [
    'before the root',
    '<xpath expr="/form" position="before"><field name="a"/></xpath>',
    '2: Nothing can come before the root of a view.',
  ],
  [
    'another root',
    '<xpath expr="/form" position="replace"><field name="a"/></xpath>',
    'The root of a <form> is replaced by one <form>.',
  ],
  [
    'a move into itself',
    '<xpath expr="//group/field" position="after">\n<xpath expr="//group" position="move"/></xpath>',
    '3: An element cannot be moved into itself.',
  ],
  [
    'a move of nothing',
    '<xpath expr="//group" position="after">\n<xpath expr="//page" position="move"/></xpath>',
    '3: //page finds nothing in sale.order_form.',
  ],
  [
    'a move twice',
    '<xpath expr="//group" position="after"><xpath expr="//group/field" position="move"/>\n<xpath expr="//group/field" position="move"/></xpath>',
    '3: The same element is moved twice.',
  ],
  [
    'a value that a list does not have',
    `<xpath expr="//field[@groups]" position="attributes">\n<attribute name="groups" remove="sale.group_manger"/></xpath>`,
    '3: "groups" does not have "sale.group_manger". Did you mean "sale.group_manager"?',
  ],
  [
    'a new value and a list',
    '<xpath expr="//field" position="attributes"><attribute name="groups" add="a.b">c.d</attribute></xpath>',
    '"groups" takes a new value, or "add" and "remove", not both.',
  ],
  [
    'another model',
    '<xpath expr="/form" position="attributes"><attribute name="model">a.b</attribute></xpath>',
    '2: The model of a view cannot be changed.',
  ],
  [
    'an attribute that the tag does not have',
    '<xpath expr="//group" position="attributes">\n<attribute name="lable">A</attribute></xpath>',
    'more: views/more.xml:3: <group> has no attribute "lable". Did you mean "label"?',
  ],
  [
    'content that cannot stand there',
    '<xpath expr="//group" position="inside">\n<page label="A"/></xpath>',
    'more: views/more.xml:3: <page> cannot stand in <group>.',
  ],
  [
    'a parent that is left broken',
    '<xpath expr="//title/field" position="replace"/>',
    'more: views/more.xml:1: The inherit breaks sale: views/order.xml:2: <title> needs a <field> inside.',
  ],
];

describe('mistakes', () => {
  it.each(mistakes)('VIEW-4 %s', (_, xpath, message) => {
    expect(messageOf(() => change(xpath))).toContain(message);
  });
});
