import { currentCompany, defineModel, fields } from '@kontor/orm';
import { long } from '@kontor/testing/long';
import { describe, expect, it } from 'vitest';
import { AddonError } from '../addons/addon-error.ts';
import { moduleWorld } from './module-world.ts';

const stage = defineModel('crm.stage' as string, {
  label: 'Stage',
  fields: {
    name: fields.char({ required: true, size: 20 }),
    code: fields.char({ unique: true }),
    sequence: fields.integer({ default: 10, min: 0 }),
    kind: fields.selection({ open: 'Open', closed: 'Closed' }),
    group_id: fields.many2one('core.group'),
    line_ids: fields.one2many('crm.stage', 'parent_id'),
    parent_id: fields.many2one('crm.stage'),
    loud: fields.char({ computed: true }),
  },
  computes: { loud: { depends: ['name'], value: (record) => String(record.name).toUpperCase() } },
  constraints: {
    not_negative: { on: ['name'], holds: (record) => record.name !== 'Forbidden', message: 'This name is forbidden.' },
  },
});
const desk = defineModel('crm.desk' as string, {
  fields: {
    company_id: fields.many2one('core.company', { required: true, default: currentCompany }),
  },
});

function xml(...lines: readonly string[]): string {
  return ['<data>', ...lines, '</data>'].join('\n');
}
function record(fieldsOf: string, id = 'x', model = 'crm.stage'): string {
  return `<record id="${id}" model="${model}">${fieldsOf}</record>`;
}
const named = '<field name="name">A</field>';
const accessHeader = 'id,name,model,group,read,write,create,unlink';

const mistakes: readonly (readonly [file: string, content: string, message: string])[] = [
  ['data/a.xml', '<data>\n<record id="x">\n</data>', 'data/a.xml:3: Broken XML: Opening and ending tag mismatch'],
  ['data/a.xml', '<!DOCTYPE a [<!ENTITY b "c">]><data/>', 'data/a.xml:1: A document type (<!DOCTYPE>) is not allowed.'],
  ['data/a.xml', '', 'data/a.xml:1: The file is empty.'],
  ['data/a.xml', '<stuff/>', 'data/a.xml:1: <stuff> cannot be the root; use <views>, <data> or <records>.'],
  ['data/a.xml', xml('<recrod/>'), 'data/a.xml:2: There is no tag <recrod>. Did you mean "record"?'],
  ['data/a.xml', xml('', '<record id="x" modle="a"/>'), ':3: <record> has no attribute "modle". Did you mean "model"?'],
  ['data/a.xml', xml('<record model="crm.stage"/>'), ':2: <record> needs the attribute "id".'],
  ['data/a.xml', xml(record(named, 'x y')), ':2: "x y" is not an external id'],
  ['data/a.xml', xml(record(named, 'base.x')), ':2: "base.x" belongs to another addon'],
  ['data/a.xml', xml(record(named), record(named)), ':3: The id "crm.x" is taken by data/a.xml:2.'],
  ['data/a.xml', xml(record(named, 'x', 'crm.stgae')), ':2: There is no model "crm.stgae". Did you mean "crm.stage"?'],
  ['data/a.xml', xml(record('<field name="nmae">A</field>')), 'crm.stage has no field "nmae". Did you mean "name"?'],
  [
    'data/a.xml',
    xml(record(`${named}<field name="loud">A</field>`)),
    'crm.stage.loud is worked out and cannot be given.',
  ],
  ['data/a.xml', xml(record(`${named}<field name="id">7</field>`)), 'crm.stage.id is worked out and cannot be given.'],
  ['data/a.xml', xml(record(named + named)), '"name" is given twice.'],
  ['data/a.xml', xml(record('')), ':2: "name" is required on crm.stage and not given.'],
  [
    'data/a.xml',
    xml(record('', 'x', 'crm.desk')),
    'Add <field name="company_id" ref="base.main_company"/>, or a column company_id:ref in CSV.',
  ],
  [
    'data/a.xml',
    xml(record(named, 'x', 'field.task')),
    'There is no model "field.task". Add the addon that defines it to "depends" in manifest.json.',
  ],
  ['data/a.xml', xml(record(`${named}<field name="weight">A</field>`)), 'Choose one of: name, code, sequence, kind,'],
  ['data/a.xml', xml(record('<field name="name"> </field>')), ':2: Name: A value is required.'],
  [
    'data/a.xml',
    xml(record(`${named}<field name="sequence">many</field>`)),
    'crm.stage.sequence: Must be a number, such as 12.50.',
  ],
  ['data/a.xml', xml(record(`${named}<field name="sequence">-1</field>`)), 'crm.stage.sequence: '],
  ['data/a.xml', xml(record(`${named}\n<field name="kind">opne</field>`)), 'data/a.xml:3: crm.stage.kind: '],
  [
    'data/a.xml',
    xml(record(`<field name="name">${'long '.repeat(9)}</field>`)),
    'crm.stage.name: At most 20 characters',
  ],
  [
    'data/a.xml',
    xml(record(`${named}<field name="group_id">base.group_user</field>`)),
    'crm.stage.group_id: Use external ids',
  ],
  [
    'data/a.xml',
    xml(record(`${named}\n\n<field name="group_id" ref="base.group_usr"/>`)),
    ':4: There is no record "base.group_usr". Did you mean "base.group_user"?',
  ],
  [
    'data/a.xml',
    xml(record(`${named}<field name="parent_id" ref="base.group_user"/>`)),
    '"base.group_user" is a record of core.group; crm.stage.parent_id takes crm.stage.',
  ],
  [
    'data/a.xml',
    xml(record(`${named}<field name="group_id" refs="base.group_user,base.group_system"/>`)),
    '"group_id" takes one external id.',
  ],
  [
    'data/a.xml',
    xml(record(`${named}<field name="line_ids" refs="y"/>`)),
    '"line_ids": set parent_id on the other side.',
  ],
  [
    'data/a.xml',
    xml(record('<field name="name" ref="base.group_user"/>')),
    '"name" is of type char and takes no external id.',
  ],
  ['data/a.xml', xml(record(`${named}<field name="sequence" eval="{"/>`)), '"eval" must be JSON, not {.'],
  ['data/a.xml', xml(record('<field name="name" eval="1">A</field>')), '"name" has two values'],
  ['data/a.xml', xml(record('<field name="name" file="static/none.png"/>')), 'There is no file "static/none.png"'],
  ['data/a.xml', xml(record('<field name="name" file="../other/a.png"/>')), 'is not a file of the addon'],
  [
    'data/a.xml',
    xml(record(`${named}<field name="parent_id" ref="x"/>`)),
    'The records need each other: crm.x → crm.x.',
  ],
  ['data/a.xml', xml(record('<field name="name">Forbidden</field>')), 'data/a.xml:2: Name: This name is forbidden.'],
  [
    'data/a.xml',
    xml(
      record(`${named}<field name="code">1</field>`, 'a'),
      record(`${named}<field name="code">2</field>`, 'b'),
      record(`${named}<field name="code">1</field>`, 'c'),
    ),
    'data/a.xml:4: code: ',
  ],
  ['data/crm.stage.csv', 'id,nam\nx,A\n', 'data/crm.stage.csv:1: crm.stage has no field "nam". Did you mean "name"?'],
  ['data/crm.stage.csv', 'name\nA\n', 'data/crm.stage.csv:1: The column "id" is missing.'],
  ['data/crm.stage.csv', 'id,name,name\nx,A,B\n', 'data/crm.stage.csv:1: The column "name" is there twice.'],
  ['data/crm.stage.csv', 'id,name\nx,A\ny,B,C\n', 'data/crm.stage.csv:3: Broken CSV: '],
  ['data/crm.stage.csv', 'id,name,sequence\nx,"A\nB",1\ny,C,D\n', 'data/crm.stage.csv:4: crm.stage.sequence: '],
  [
    'data/crm.stagg.csv',
    'id,name\nx,A\n',
    'data/crm.stagg.csv:2: There is no model "crm.stagg". Did you mean "crm.stage"?',
  ],
  ['data/notes.txt', 'hello', 'data/notes.txt:1: Kontor does not read this file: data/ contains only *.xml and *.csv.'],
  [
    'security/access.csv',
    `${accessHeader}\na,A,crm.stage,base.group_usr,1,1,1,1\n`,
    'security/access.csv:2: There is no record "base.group_usr". Did you mean "base.group_user"?',
  ],
  [
    'security/access.csv',
    `${accessHeader}\na,A,crm.stag,,1,1,1,1\n`,
    'security/access.csv:2: There is no model "crm.stag". Did you mean "crm.stage"?',
  ],
  [
    'security/access.csv',
    `${accessHeader}\na,A,crm.stage,,yes,1,1,1\n`,
    'security/access.csv:2: "read" must be 0 or 1, not "yes".',
  ],
  ['security/access.csv', 'id,name\n', `security/access.csv:1: The header must be ${accessHeader}.`],
  [
    'security/rules.xml',
    xml(
      '<record id="r" model="sys.rule"><field name="name">R</field><field name="model">crm.stage</field><field name="domain" eval=\'[["nmae", "=", 1]]\'/></record>',
    ),
    'security/rules.xml:2: domain: ',
  ],
  ['views/v.xml', '<views>\n<list id="l"/></views>', 'views/v.xml:2: <list> needs the attribute "model".'],
  [
    'views/v.xml',
    '<views><list id="l" model="crm.stagee"/></views>',
    'views/v.xml:1: There is no model "crm.stagee". Did you mean "crm.stage"?',
  ],
  [
    'views/v.xml',
    '<views><action id="a" label="A" model="crm.stage" view="list"/></views>',
    '<action> has no attribute "view". Did you mean "views"?',
  ],
  [
    'views/v.xml',
    '<views>\n<menu id="m" label="M" action="nothing"/></views>',
    'views/v.xml:2: There is no record "crm.nothing".',
  ],
  [
    'views/v.xml',
    '<inherit view="base.nothing"><xpath expr="//field" position="replace"/></inherit>',
    'views/v.xml:1: There is no record "base.nothing".',
  ],
];

describe('mistakes in data files', () => {
  long(
    'MOD-3 each stops the install with addon, file, line and the nearest name, and leaves the database as it was',
    async () => {
      const world = await moduleWorld();
      await world.install([]);
      const before = await world.snapshot();
      for (const [index, [file, content, message]] of mistakes.entries()) {
        const name = `crm${index}`;
        const own = (text: string) =>
          text.replaceAll('crm.x', `${name}.x`).replaceAll('crm.nothing', `${name}.nothing`);
        world.write(name, { [file]: content }, { models: [stage, desk] });
        const error = await world.install([name]).catch((thrown: unknown) => thrown);
        expect(error, message).toBeInstanceOf(AddonError);
        expect((error as AddonError).message).toContain(own(message));
        expect((error as AddonError).message.startsWith(`${name}: `)).toBe(true);
      }
      expect(await world.snapshot()).toEqual(before);
    },
  );

  it('MOD-3 a reference to a later file says where it is', async () => {
    const world = await moduleWorld();
    const first = xml(record(`${named}<field name="parent_id" ref="later"/>`));
    world.write('crm', { 'data/1.xml': first, 'data/2.xml': xml(record(named, 'later')) }, { models: [stage] });
    await expect(world.install(['crm'])).rejects.toThrow(
      'crm: data/1.xml:2: "crm.later" comes later, in data/2.xml:2;',
    );
  });
});
