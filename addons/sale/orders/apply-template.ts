import { type ActionCall, fields, UserError } from '@kontor/addon';

const asks = {
  template_id: fields.many2one('sale.template', { label: 'Template', required: true, domain: [['active', '=', true]] }),
};

/** Adds the lines and the terms of a template; prices and taxes are those of the customer and the day, as if they were typed. */
export const applyTemplate = {
  label: 'Add template',
  icon: 'layout-template',
  single: 'Choose one quotation.',
  asks,
  async run({ env, records, answers }: ActionCall<'sale.order', typeof asks>): Promise<void> {
    const order = await records.only('state', 'note', 'line_ids.sequence');
    if (order.state !== 'draft' && order.state !== 'sent') throw new UserError('Only a quotation takes a template.');
    const [template] = await env
      .model('sale.template')
      .load(
        [answers.template_id],
        [...(['note', 'line_ids.line_type', 'line_ids.name', 'line_ids.quantity', 'line_ids.product_id.id'] as const)],
      );
    if (!template) throw new UserError('Choose a template.');
    const last = Math.max(0, ...order.line_ids.map(({ sequence }) => sequence));
    const lines = template.line_ids.map(({ line_type, name, quantity, product_id: product }, at) => {
      const sequence = last + 10 * (at + 1);
      return ['create', { sequence, line_type, name, quantity, product_id: product?.id ?? null }] as const;
    });
    const note = [order.note, template.note].filter(Boolean).join('\n\n') || null;
    await env.model('sale.order').write([order.id], { note, line_ids: lines });
  },
} as const;
