import { describe, expect, it } from 'vitest';
import {
  assembleRegistry,
  customerReads,
  DefinitionError,
  defineModel,
  fieldAtPath,
  fields,
  inheritModel,
  type ModelDefinition,
  portalPaths,
} from '../index.ts';

const order = defineModel('test.order', {
  fields: { name: fields.char(), other_id: fields.many2one('test.order') },
});

function problems(...definitions: ModelDefinition[]): string[] {
  try {
    assembleRegistry([{ module: 'shop', definitions: [order, ...definitions] }]);
  } catch (error) {
    if (error instanceof DefinitionError) return error.message.split('\n');
    throw error;
  }
  throw new Error('It was taken.');
}

describe('PTL-1 a portal', () => {
  const own = {
    day: fields.date(),
    kind: fields.selection({ a: 'A' }),
    cost: fields.monetary({ groups: ['shop.manager'] }),
    pin: fields.char({ secret: true }),
    buyer_id: fields.many2one('core.partner'),
  };
  const contact = defineModel('core.partner', { fields: { name: fields.char() } });
  const portal = { label: 'Orders', customer: 'buyer_id', date: 'day' };

  it('PTL-1 is taken where it leads to a contact, and is in the assembled model', () => {
    const extended = inheritModel('test.order', { fields: own, portal: { ...portal, status: 'kind' } });
    const { models } = assembleRegistry([{ module: 'shop', definitions: [contact, order, extended] }]);
    expect(models.get('test.order')?.portal).toMatchObject({ customer: 'buyer_id', status: 'kind' });
  });

  it.each<[string, object, string]>([
    ['a contact', { customer: 'other_id' }, 'portal customer "other_id" does not lead to one contact.'],
    ['a known customer', { customer: 'buyr_id' }, 'has no field "buyr_id". Did you mean "buyer_id"?'],
    ['a stored date', { date: 'kind' }, 'portal "kind" is no stored date.'],
    ['choices as status', { status: 'day' }, 'portal "day" is no field with choices.'],
    ['choices as kind', { kind: 'day' }, 'portal "day" is no field with choices.'],
    ['fields for everyone', { shows: ['cost'] }, 'portal shows "cost", but "cost" is only for some users'],
    ['no secrets', { shows: ['pin'] }, 'portal shows "pin", but "pin" is only for some users'],
    ['known fields', { shows: ['nme'] }, 'has no field "nme"'],
    ['amounts as sums', { total: 'day' }, 'portal "day" is no amount.'],
    ['a chatter for comments', { allows: ['comment'] }, 'portal allows "comment", but the model has no chatter'],
    ['comments for files', { allows: ['attach'] }, 'portal allows "attach" without "comment"'],
    ['a move', { accept: { move: 'confirm', where: [] } }, 'portal accept "confirm": there is no such move.'],
    ['a domain of known fields', { where: [['nme', '=', 'x']] }, 'has no field "nme"'],
  ])('PTL-1 needs %s', (_what, wrong, message) => {
    const found = problems(contact, inheritModel('test.order', { fields: own, portal: { ...portal, ...wrong } }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  it('PTL-1 needs lines that are seen with their record', () => {
    const note = defineModel('test.note', { fields: { text: fields.char(), about_id: fields.many2one('test.order') } });
    const extended = inheritModel('test.order', {
      fields: { ...own, note_ids: fields.one2many('test.note', 'about_id') },
      portal: { ...portal, lines: { field: 'note_ids', title: 'text' } },
    });
    expect(problems(contact, note, extended)[0]).toContain('portal lines: test.note is neither part of test.order');
  });

  it('PTL-2 PTL-5 gives contacts their own records, the declared fields and the names on the way, and nothing else', () => {
    const currency = defineModel('core.currency', {
      fields: { symbol: fields.char(), decimal_places: fields.integer(), rate: fields.float() },
    });
    const extended = inheritModel('test.order', {
      fields: { ...own, currency_id: fields.many2one('core.currency') },
      portal: { ...portal, where: [['kind', '=', 'a']], shows: ['other_id.buyer_id.name'] },
    });
    const registry = assembleRegistry([{ module: 'shop', definitions: [currency, contact, order, extended] }]);
    expect(portalPaths(registry, 'core.partner')).toEqual([]);
    const shown = [...customerReads(registry, [7, 9])].map(([model, { domain = null, fields: names }]) => [
      ...[model, domain],
      [...names],
    ]);
    expect(shown).toEqual([
      [
        'test.order',
        [
          ['buyer_id', 'in', [7, 9]],
          ['kind', '=', 'a'],
        ],
        ['display_name', 'day', 'other_id', 'buyer_id', 'currency_id'],
      ],
      ['core.partner', null, ['name']],
      ['core.currency', null, ['symbol', 'decimal_places']],
    ]);
  });

  it('finds the field at the end of a path, and none beyond a mistake', () => {
    const extended = inheritModel('test.order', { fields: own });
    const registry = assembleRegistry([{ module: 'shop', definitions: [contact, order, extended] }]);
    const found = (path: string) => fieldAtPath(registry, 'test.order', path)?.model;
    expect(['other_id.buyer_id.name', 'day', 'day.name', 'buyer_id.day', ''].map(found)).toEqual([
      ...['core.partner', 'test.order', undefined, undefined, undefined],
    ]);
  });
});
