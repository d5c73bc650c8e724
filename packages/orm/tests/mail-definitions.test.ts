import { describe, expect, it } from 'vitest';
import {
  assembleRegistry,
  companyValue,
  DefinitionError,
  defineModel,
  fields,
  type InheritSpec,
  inheritModel,
  type ModelDefinition,
} from '../index.ts';

const partner = defineModel('test.partner', { fields: { name: fields.char() } });
const order = defineModel('test.order', {
  fields: { name: fields.char(), partner_id: fields.many2one('test.partner') },
});

function problems(...definitions: ModelDefinition[]): string[] {
  try {
    assembleRegistry([{ module: 'shop', definitions: [partner, order, ...definitions] }]);
  } catch (error) {
    if (error instanceof DefinitionError) return error.message.split('\n');
    throw error;
  }
  throw new Error('It was taken.');
}

describe('LAN-21 mail', () => {
  const contact = defineModel('core.partner', { fields: { name: fields.char() } });
  const company = defineModel('core.company', { fields: { name: fields.char(), motto: fields.char() } });
  const own = {
    day: fields.date(),
    note: fields.html(),
    text: fields.char(),
    sender_id: fields.many2one('core.partner'),
    size: fields.integer({ computed: true }),
  };
  const creates = { text: 'subject', note: 'body', sender_id: 'contact', name: companyValue('motto') } as const;
  const mail = { alias: 'orders', creates };
  const withMail = (more: object, spec: InheritSpec = {}) =>
    problems(
      contact,
      company,
      inheritModel('test.order', {
        chatter: true,
        ...spec,
        fields: { ...own, ...spec.fields },
        computes: { size: { depends: ['text'], value: () => 1 } },
        mail: { ...mail, ...more },
      }),
    );

  it('LAN-21 is taken where it fits its fields', () => {
    const extension = inheritModel('test.order', { chatter: true, fields: { ...own, size: fields.integer() }, mail });
    const definitions = [contact, company, partner, order, extension];
    expect(assembleRegistry([{ module: 'shop', definitions }]).models.get('test.order')?.mail).toEqual(mail);
  });

  it.each<[string, object, string]>([
    ['an alias for an address', { alias: 'Orders!' }, 'mail alias "Orders!" is not the first part of an address'],
    [
      'known fields',
      { creates: { txt: 'subject' } },
      'mail creates "txt": there is no such field. Did you mean "text"?',
    ],
    ['fields that are stored', { creates: { size: 'subject' } }, 'mail creates "size": its value is computed.'],
    ['known parts', { creates: { text: 'subjct' } }, 'nor companyValue(…). Did you mean "subject"?'],
    ['fields of a fitting type', { creates: { day: 'subject' } }, 'the subject is for char or text fields.'],
    ['contacts for the contact', { creates: { partner_id: 'contact' } }, 'the contact is a record of core.partner.'],
    [
      'known settings',
      { creates: { text: companyValue('moto') } },
      'its source is core.company.moto: there is no such',
    ],
  ])('LAN-21 needs %s', (_what, wrong, message) => {
    const found = withMail(wrong);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  it('LAN-21 needs a chatter, a value for each required field, and an alias of its own', () => {
    const code = fields.char({ required: true });
    expect(withMail({}, { chatter: false, fields: { code } })).toEqual([
      expect.stringContaining('mail needs chatter: true'),
      expect.stringContaining('mail creates nothing for "code", which is required and has no default.'),
    ]);
    const other = defineModel('test.other', {
      fields: { name: fields.char() },
      chatter: true,
      mail: { alias: 'orders', creates: { name: 'subject' } },
    });
    expect(
      problems(
        contact,
        company,
        other,
        inheritModel('test.order', { chatter: true, fields: { ...own, size: fields.integer() }, mail }),
      ),
    ).toEqual([expect.stringContaining('mail alias "orders" is that of test.order.')]);
  });
});
