import { Decimal, open } from '@kontor/orm';
import { openRelated } from '@kontor/orm/author';
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

  it('MOD-9 is an action that shows what points at the chosen records', async () => {
    const domainOf = async (run: ReturnType<typeof openRelated>['run'], ids: readonly number[]) => {
      const { redirect } = await run({ records: { ids } });
      return JSON.parse(new URL(redirect, 'http://kontor.invalid').searchParams.get('domain') ?? '');
    };
    const plain = openRelated('core.user', 'company_id', { view: 'list' });
    expect(plain).toEqual({ needs: 'read', run: expect.any(Function) });
    expect(await domainOf(plain.run, [1, 2])).toEqual([['company_id', 'in', [1, 2]]]);
    const { redirect } = await plain.run({ records: { ids: [7] } });
    const context = new URL(redirect, 'http://kontor.invalid').searchParams.get('context') ?? '';
    expect(JSON.parse(context)).toEqual({ default_company_id: 7 });
    const below = openRelated('core.user', 'company_id', { below: true });
    expect(await domainOf(below.run, [1])).toEqual([['company_id', 'child_of', [1]]]);
    const single = openRelated('core.user', 'company_id', { single: 'Choose one company.' });
    expect(single).toMatchObject({ single: 'Choose one company.' });
    expect(await domainOf(single.run, [7])).toEqual([['company_id', '=', 7]]);
  });
});
