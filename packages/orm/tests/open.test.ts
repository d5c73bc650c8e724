import { Decimal, open } from '@kontor/orm';
import { describe, expect, it } from 'vitest';

describe('open', () => {
  it('MOD-9 makes the address of a screen', () => {
    expect(open('sale.order')).toEqual({ redirect: '/web?model=sale.order' });
    expect(open('sale.order', { id: 7 }).redirect).toBe('/web?model=sale.order&view_type=form&id=7');
    expect(open('sale.order', { view: 'kanban' }).redirect).toBe('/web?model=sale.order&view_type=kanban');
    expect(open('sale.order', { action: 'sale.all_orders', activeIds: [1, 2] }).redirect).toBe(
      '/web?action=sale.all_orders&active_ids=1%2C2',
    );
    expect(open('sale.order', { id: 7, edit: true, target: 'dialog' }).redirect).toMatch(/&edit=1&target=dialog$/);
  });

  it('MOD-9 carries a domain and first values as the client reads them', () => {
    const { redirect } = open('sale.order', {
      domain: [['amount_total', '>', new Decimal('1.50')]],
      context: { default_note: 'a & b' },
    });
    const query = new URL(redirect, 'http://kontor.invalid').searchParams;
    expect(JSON.parse(query.get('domain') ?? '')).toEqual([['amount_total', '>', 1.5]]);
    expect(JSON.parse(query.get('context') ?? '')).toEqual({ default_note: 'a & b' });
  });
});
