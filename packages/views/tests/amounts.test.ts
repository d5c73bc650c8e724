import { describe, expect, it } from 'vitest';
import { archOf } from './example-world.ts';

const views = {
  list: '<list id="v" model="sale.order"><field name="amount_total"/></list>',
  form: '<form id="v" model="sale.order"><group><field name="amount_total"/></group></form>',
  kanban:
    '<kanban id="v" model="sale.order"><card><title><field name="name"/></title><field name="amount_total"/></card></kanban>',
};
const lines = (inside: string) =>
  `<form id="v" model="sale.order"><field name="depends_on_ids">${inside}</field></form>`;

describe('amounts in views', () => {
  for (const [type, xml] of Object.entries(views)) {
    it(`LAN-6 load and describe their currency in a ${type}`, () => {
      const { arch, projection } = archOf(xml);
      expect(projection).toEqual(expect.arrayContaining(['currency_id', 'currency_id.display_name']));
      expect(arch.fields.map(({ name }) => name)).toContain('currency_id');
    });
  }

  it('LAN-6 load their currency in lines', () => {
    const { projection } = archOf(lines('<list><field name="amount_total"/></list>'));
    const inside = projection.find((item) => typeof item === 'object');
    expect(inside).toMatchObject({
      depends_on_ids: expect.arrayContaining(['currency_id', 'currency_id.display_name']),
    });
  });
});
