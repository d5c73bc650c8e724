import { fields } from '@kontor/addon';

export const managers = ['sale.group_manager'] as const;

/** Amounts of orders and lines in the company's own currency, so that several currencies add up. */
export const companyAmounts = {
  turnover: fields.monetary({
    computed: true,
    stored: true,
    currency: 'company_currency_id',
    help: "Untaxed, in the company's currency: orders in several currencies add up.",
  }),
  margin_in_company: fields.monetary({
    label: 'Margin in company currency',
    computed: true,
    stored: true,
    currency: 'company_currency_id',
    groups: managers,
  }),
};
