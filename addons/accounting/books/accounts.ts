import { type Decimal, type Env, text, UserError } from '@kontor/addon';
import type { AccountKind, Untaxed } from '../chart/charts.ts';
import { giveCharts } from '../chart/give-chart.ts';

const fields = ['kind', 'percent', 'treatment', 'company_id'] as const;

/** A company without accounts, such as one whose invoices are loaded while the addon is being installed, is given its chart. */
async function accountsOf(env: Env, companies: readonly number[]) {
  const read = (ids: readonly number[]) =>
    env.model('accounting.account').searchRead([['company_id', 'in', [...ids]]], [...fields], { order: 'code' });
  const rows = await read(companies);
  const without = companies.filter((id) => !rows.some((row) => row.company_id === id));
  if (without.length === 0) return rows;
  await giveCharts(env, without);
  return [...rows, ...(await read(without))];
}

interface Use {
  readonly percent?: Decimal | null;
  readonly treatment?: Untaxed | null;
}

/** The id of the account of a company for a use. */
export type FindAccount = (company: number, kind: AccountKind, use?: Use) => number;

/** The account for exactly this rate or treatment, otherwise the one for all of them; the lowest code if there are several. */
export async function openAccounts(env: Env, companies: readonly number[]): Promise<FindAccount> {
  const rows = await accountsOf(env, [...new Set(companies)]);
  return (company, kind, { percent = null, treatment = null } = {}) => {
    const own = rows.filter((row) => row.company_id === company && row.kind === kind);
    const exact = own.find((row) => (treatment ? row.treatment === treatment : percent && row.percent?.eq(percent)));
    const found = exact ?? own.find((row) => row.percent === null && row.treatment === null);
    if (found) return found.id;
    const label = env.registry.model('accounting.account').fields.get('kind')?.spec.selection?.[kind] ?? kind;
    throw new UserError(text('Accounting needs an account for {use}. Ask a manager to add it.', { use: label }));
  };
}
