import type { Say } from '@addons/sale';
import { type CreateValues, type Env, inheritModel, languageTag, text, wordsIn } from '@kontor/addon';
import { type AccountKind, type Chart, chartOf, type Untaxed } from './charts.ts';

/**
 * Gives companies the accounts of their country, named in the company's language. A company that has accounts keeps them; if it moves
 * before anything is booked, it gets those of the new country.
 */
export async function giveCharts(env: Env, companyIds?: readonly number[]): Promise<void> {
  const accounts = env.model('accounting.account');
  const ids = companyIds ?? (await env.model('core.company').search());
  for (const company of await env.model('core.company').load(ids, ['country_id.code', 'lang'])) {
    if ((await env.model('accounting.entry').count([['company_id', '=', company.id]])) > 0) continue;
    const [old, archived] = [
      await accounts.search([['company_id', '=', company.id]]),
      await accounts.search([
        ['company_id', '=', company.id],
        ['active', '=', false],
      ]),
    ];
    await accounts.unlink([...old, ...archived]);
    const { say } = wordsIn(env, company.lang, 'accounting');
    const country = company.country_id?.code ?? null;
    const number = new Intl.NumberFormat(languageTag(company.lang));
    const named = (rate: string) => number.format(Number(rate));
    await accounts.createMany(
      accountsOf(chartOf(country), say, named).map((row) => ({ ...row, company_id: company.id })),
    );
  }
}

type Account = Omit<CreateValues<'accounting.account'>, 'company_id'>;

function accountsOf(chart: Chart, say: Say, named: (rate: string) => string): Account[] {
  const plain: readonly [AccountKind & keyof Chart, string][] = [
    ['receivable', say('Receivables')],
    ['bank', say('Bank')],
    ['cash', say('Cash')],
    ['revenue', say('Revenue')],
    ['tax', say('Sales tax')],
    ['exchange', say('Exchange differences')],
  ];
  const untaxed: readonly [Untaxed, string][] = [
    ['reverse', say('Revenue, reverse charge')],
    ['export', say('Revenue, export')],
    ['exempt', say('Revenue, exempt from tax')],
  ];
  const key = chart.datevKey ?? null;
  return [
    ...plain.map(([kind, name]) => ({ kind, name, code: chart[kind] as string })),
    ...untaxed.map(([treatment, name]) => ({
      ...({ kind: 'revenue', treatment, name, code: chart.untaxed[treatment] } as const),
    })),
    ...Object.entries(chart.rates).flatMap(([percent, [revenue, tax]]): Account[] => {
      const rate = { percent: named(percent) };
      return [
        { kind: 'revenue', percent, code: revenue, name: say(text('Revenue {percent} %', rate)), datev_key: key },
        { kind: 'tax', percent, code: tax, name: say(text('Sales tax {percent} %', rate)) },
      ];
    }),
  ];
}

/** As the server: a user who creates a company need not be allowed to manage accounts. */
export const accountingCompany = inheritModel('core.company', {
  hooks: {
    on: ['country_id'],
    afterCreate: ({ env, ids }) => giveCharts(env.sudo(), ids),
    afterWrite: ({ env, ids }) => giveCharts(env.sudo(), ids),
  },
});
