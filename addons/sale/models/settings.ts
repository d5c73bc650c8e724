import { currentCompany, defineModel, type Env, type FieldsOf, fields } from '@kontor/addon';

const settingsFields = {
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  validity_days: fields.integer({
    label: 'Valid for (days)',
    required: true,
    default: 30,
    min: 0,
    max: 365,
    help: '0: as long as nobody says otherwise.',
  }),
  note: fields.text({ label: 'Terms on quotations' }),
  tax_id: fields.many2one('sale.tax', {
    label: 'Usual sales tax',
    checkCompany: true,
    ondelete: 'set null',
    help: 'For products that name no tax of their own.',
  }),
  prefix_code: fields.char({
    label: 'Numbers begin with',
    size: 16,
    help: 'Of quotations made from now on, in every company that has no sequence of its own.',
  }),
};

export interface SaleSettings extends FieldsOf<typeof settingsFields> {}
declare module '@kontor/addon' {
  interface Models {
    'sale.settings': SaleSettings;
  }
}

/** The page of settings: it opens with what the company has, and what is saved goes there. */
export const saleSettings = defineModel('sale.settings', {
  label: 'Sales settings',
  transient: true,
  fields: settingsFields,
  onchange: {
    company_id: {
      reads: ['company_id.sale_validity_days', 'company_id.sale_note', 'company_id.sale_tax_id'],
      value: ({ company_id: company }) =>
        company
          ? {
              validity_days: company.sale_validity_days,
              note: company.sale_note,
              tax_id: company.sale_tax_id?.id ?? null,
            }
          : undefined,
    },
  },
  hooks: {
    afterCreate: ({ env, ids }) => keep(env, ids),
    afterWrite: ({ env, ids }) => keep(env, ids),
  },
});

/** As the server: sales managers set up sales, and need no right on companies and sequences for it. */
async function keep(env: Env, ids: readonly number[]): Promise<void> {
  const paths = ['company_id.id', 'validity_days', 'note', 'tax_id.id', 'prefix_code'] as const;
  const server = env.sudo();
  for (const asked of await env.model('sale.settings').load(ids, [...paths])) {
    await server.model('core.company').write([asked.company_id.id], {
      sale_validity_days: asked.validity_days,
      sale_note: asked.note,
      sale_tax_id: asked.tax_id?.id ?? null,
    });
    if (asked.prefix_code === null) continue;
    const sequence = await server.ref('sale.sequence_order');
    await server.model('sys.sequence').write([sequence], { prefix: asked.prefix_code });
  }
}
