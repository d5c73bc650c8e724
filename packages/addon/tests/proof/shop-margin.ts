import './shop.ts';
import { Decimal, type FieldsOf, fields, inheritModel, UserError } from '@kontor/addon';

const marginFields = {
  cost: fields.monetary({ required: true, default: 0 }),
  margin: fields.monetary({ computed: true }),
};
declare module './shop.ts' {
  interface Basket extends FieldsOf<typeof marginFields> {}
}

export const basketMargin = inheritModel('proof.basket', {
  fields: marginFields,
  computes: {
    margin: { depends: ['total', 'cost'], value: (record) => record.total.minus(record.cost ?? 0) },
  },
  actions: {
    async order(call, base) {
      const baskets = await call.records.load('margin', 'item_ids.basket_id.margin');
      if (baskets.some(({ margin }) => margin.lt(new Decimal(0)))) throw new UserError('This basket loses money.');
      return base(call);
    },
  },
});
