import { describe, expect, it } from 'vitest';
import { parseView, ViewError, walkNodes } from '../index.ts';
import { writeXml } from '../parse/write-xml.ts';
import { messageOf } from './example-world.ts';

const source = { addon: 'sale', file: 'views/order.xml', line: 7 };
const list = (inside: string, attributes = '') => `<list id="l" model="sale.order"${attributes}>\n${inside}\n</list>`;

const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefgh'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(10)}">`)
  .join('')}]>\n`;

const refused: readonly (readonly [what: string, xml: string, message: string])[] = [
  [
    'broken XML',
    '<list id="l" model="m">\n<field name="a">\n</list>',
    '9: Broken XML: Opening and ending tag mismatch',
  ],
  ['nothing', ' ', '7: The view is empty.'],
  ['a document type', `<!DOCTYPE list>\n${list('')}`, '7: A document type (<!DOCTYPE>) is not allowed.'],
  ['an entity bomb', `${bomb}${list('<field name="name" label="&h;"/>')}`, 'sale: views/order.xml:'],
  [
    'an external entity',
    `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<form id="f" model="m"><text>&e;</text></form>`,
    'A document type (<!DOCTYPE>) is not allowed.',
  ],
  ['an undeclared entity', '<form id="f" model="m"><text>&nbsp;</text></form>', "Entity 'nbsp' not defined."],
  ['a namespace', '<list xmlns="urn:x" id="l" model="m"/>', 'views have no namespaces.'],
  ['a namespaced attribute', '<list xmlns:x="urn:x" x:id="l" model="m"/>', 'views have no namespaces.'],
  ['another root', '<lits id="l" model="m"/>', '7: <lits> is not a view. Did you mean "list"?'],
  ['an unknown tag', list('<feild name="a"/>'), '8: <feild> cannot stand in <list>. Did you mean "field"?'],
  ['a misplaced tag', list('<group/>'), '8: <group> cannot stand in <list>. It takes <header>, <field>, <button>.'],
  [
    'content of a leaf',
    list('<header><moves><field name="b"/></moves></header>'),
    '<moves> takes nothing inside, but has <field>.',
  ],
  ['an unknown attribute', list('<field nmae="a"/>'), '8: <field> has no attribute "nmae". Did you mean "name"?'],
  ['a prototype name', list('<field name="a" constructor="x"/>'), '<field> has no attribute "constructor".'],
  ['a missing attribute', list('<field/>'), '8: <field> needs the attribute "name".'],
  ['a view without id', '<list model="m"/>', '7: <list> needs the attribute "id".'],
  ['a text', list('words'), '7: <list> takes no text, but has "words".'],
  ['a text that is missing', '<form id="f" model="m"><text/></form>', '<text> needs a text inside.'],
  ['one too many', '<form id="f" model="m">\n<header/>\n<header/></form>', '9: <form> takes one <header>.'],
  ['none where one must be', '<kanban id="k" model="m"/>', '7: <kanban> needs a <card> inside.'],
  ['a bad boolean', list('', ' create="yes"'), '<list>: "create" takes true or false, not "yes".'],
  ['a bad number', list('', ' limit="many"'), '<list>: "limit" takes a whole number, not "many".'],
  ['a bad choice', list('', ' editable="botom"'), '"editable" takes top, bottom, not "botom". Did you mean "bottom"?'],
  ['an empty value', list('<field name=""/>'), '<field>: "name" is empty.'],
  ['a bad field name', list('<field name="a b"/>'), '"name" takes the name of a field, not "a b".'],
  ['options that are no JSON', list(`<field name="a" options="{'b': 1}"/>`), `"options" is not JSON: {'b': 1}`],
  ['options that are no object', list('<field name="a" options="[1]"/>'), '"options" takes a JSON object, not [1]'],
  ['a condition that is no domain', list(`<field name="a" invisible='[["b"]]'/>`), '"invisible" is not a domain.'],
  ['a condition of the server', list(`<field name="a" invisible='[["b", "child_of", 1]]'/>`), 'cannot use "child_of"'],
  ['a bad operator', list(`<field name="a" domain='[["b", "==", 1]]'/>`), 'has an unknown operator "=="'],
  ['a bad order', list('', ' order="name desc"'), '"order" takes fields such as "name, -date", not "name desc".'],
  ['a bad granularity', list('', ' group-by="date:fortnight"'), '"group-by" has no granularity "fortnight".'],
  ['a column twice', list('<field name="a"/>\n<field name="a"/>'), '9: <list> has <field> "a" twice.'],
  [
    'a filter of nothing',
    '<search id="s" model="m"><filter name="a" label="A"/></search>',
    'needs a "domain", a "group-by" or both.',
  ],
  [
    'a filter twice',
    `<search id="s" model="m">${'<filter name="a" label="A" group-by="b"/>'.repeat(2)}</search>`,
    '<filter> "a" twice.',
  ],
  ['too many columns', '<form id="f" model="m"><group columns="7"/></form>', '"columns" takes 1 to 4, not "7".'],
  ['an inherit of nothing', '<inherit view="a.b"/>', '<inherit> needs a <xpath> inside.'],
  [
    'a move by itself',
    '<inherit view="a.b"><xpath expr="//a" position="move"/></inherit>',
    '"position" takes before, after, inside, replace, attributes, not "move".',
  ],
  [
    'an xpath without content',
    '<inherit view="a.b"><xpath expr="//a" position="after"/></inherit>',
    '<xpath position="after"> has nothing inside.',
  ],
  [
    'attributes that are none',
    '<inherit view="a.b"><xpath expr="//a" position="attributes"><field name="x"/></xpath></inherit>',
    '<xpath position="attributes"> takes <attribute>, not <field>.',
  ],
];

describe('parseView', () => {
  it.each(refused)('VIEW-2 refuses %s with file and line', (_, xml, message) => {
    const thrown = messageOf(() => parseView(xml, source));
    expect(thrown).toMatch(/^sale: views\/order\.xml:\d+: /);
    expect(thrown).toContain(message);
  });

  it('VIEW-2 an error carries addon, file, line and hint as details', () => {
    const error = (() => {
      try {
        return parseView(list('<field nmae="a"/>'), source);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ViewError);
    expect(error).toMatchObject({
      code: 'USER_ERROR',
      details: { addon: 'sale', file: 'views/order.xml', line: 8, hint: 'Did you mean "name"?' },
    });
  });

  it('VIEW-2 keeps lines when a view is written and read again', () => {
    const xml = `<form id="f"\n  model="sale.order">\n<!-- words -->\n\n<group\n label="A &amp; &lt;B&gt; &quot;C&quot;&#10;D">\n\n<field name="name"/></group>\n<text>\n1 &lt; 2\n</text></form>`;
    const first = parseView(xml, source);
    const again = parseView(writeXml(first), { ...source, line: first.place.line });
    expect(again).toEqual(first);
    expect([...walkNodes(again)].map((node) => [node.tag, node.place.line])).toEqual([
      ['form', 8],
      ['group', 12],
      ['field', 14],
      ['text', 15],
    ]);
    expect(again.children[0]?.attributes.label).toBe('A & <B> "C"\nD');
    expect(again.children[1]?.text).toBe('1 < 2');
  });

  it('VIEW-2 an entity bomb is refused before it goes off', () => {
    const message = messageOf(() => parseView(`${bomb}${list('<field name="name" label="&h;"/>')}`, source));
    expect(message).toContain('Maximum entity amplification factor exceeded');
  });
});
