import { type CallsOf, Decimal, type FieldsOf, fields, inheritModel, open, UserError } from '@kontor/addon';
import { sendAsks } from './shop.ts';

const marginFields = {
  cost: fields.monetary({ required: true, default: 0 }),
  margin: fields.monetary({ computed: true }),
};
declare module './shop.ts' {
  interface Basket extends FieldsOf<typeof marginFields> {}
  // Moves of the other addon that are extended are known already.
  interface BasketCalls extends Omit<CallsOf<typeof basketMargin>, 'sell' | 'send'> {}
}

export const basketMargin = inheritModel('proof.basket', {
  fields: marginFields,
  computes: {
    margin: { depends: ['total', 'cost'], value: ({ total, cost }) => total.minus(cost ?? 0) },
  },
  states: { field: 'state', locks: { sold: ['cost'] } },
  moves: {
    sell: {
      needs: ['has_items'],
      async run(call, base) {
        const baskets = await call.records.load('margin', 'item_ids.basket_id.margin');
        if (baskets.some(({ margin }) => margin.lt(new Decimal(0)))) throw new UserError('This basket loses money.');
        return base(call);
      },
    },
    // What the other addon asks for is named, to read the answers.
    send: {
      asks: sendAsks,
      async run(call, base) {
        if (call.answers.to.endsWith('.invalid')) throw new UserError('Nobody reads this.');
        return base(call);
      },
    },
    shelve: {
      from: 'sent',
      to: 'draft',
      label: 'Shelve',
      asks: { until: fields.date({ required: true }) },
      run: async ({ answers }) => void answers.until,
    },
  },
  actions: {
    to_client: {
      run: async ({ records }) => {
        const [first] = await records.load('client_id.name');
        return first ? open('proof.client', { id: first.client_id.id }) : undefined;
      },
    },
  },
});
