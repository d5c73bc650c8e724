import {
  type ActionCall,
  fileAnswer,
  type Loaded,
  openPath,
  type RouteRequest,
  type RouteSpec,
  text,
  UserError,
} from '@kontor/addon';
import { type DatevRow, datevFile } from './datev-file.ts';

/** The periods of the file are in its address. Programs get it with their API key. */
export const exportRoutes: readonly RouteSpec[] = [
  { method: 'GET', path: '/web/accounting/datev/:periods(^[\\d-]{1,200}).csv', auth: 'session', handler: sendDatev },
  { method: 'GET', path: '/api/accounting/datev/:periods(^[\\d-]{1,200}).csv', auth: 'apikey', handler: sendDatev },
];

/** A file of DATEV has the postings of one company and year. */
export const exportDatev = {
  label: 'Export for DATEV',
  icon: 'download',
  needs: 'read',
  groups: ['accounting.group_user'],
  run: async ({ env, records }: ActionCall<'accounting.period'>) => {
    const periods = await records.load('date_from', 'company_id.id', 'company_id.accounting_consultant');
    const files = new Set(periods.map(({ date_from: day, company_id: company }) => `${company.id} ${day.slice(0, 4)}`));
    if (files.size !== 1) throw new UserError('Choose periods of one company and year.');
    if (periods.some(({ company_id: company }) => !company.accounting_consultant)) {
      throw new UserError('Enter the numbers of the consultant and of the client in the accounting settings first.');
    }
    if ((await env.model('accounting.posting').count([['period_id', 'in', [...records.ids]]])) > mostRows) {
      throw new UserError(text('A file has at most {count} postings. Choose fewer periods.', { count: mostRows }));
    }
    return openPath(`/web/accounting/datev/${[...records.ids].sort((a, b) => a - b).join('-')}.csv`);
  },
} as const;

/** DATEV reads no more from one file. */
const mostRows = 99_999;

const postingPaths = [
  ...(['date', 'amount', 'document_amount', 'currency_id.name', 'company_currency_id.name', 'tax_kind'] as const),
  ...(['debit_account_id.code', 'debit_account_id.datev_key', 'credit_account_id.code'] as const),
  ...(['credit_account_id.datev_key', 'entry_id.name', 'entry_id.partner_id.name', 'entry_id.invoice_id.vat'] as const),
] as const;

/** With the rights of the caller. */
async function sendDatev({ env, params }: RouteRequest) {
  const ids = (params.periods ?? '').split('-').map(Number);
  const periods = await env
    .model('accounting.period')
    .load(ids, [
      ...(['name', 'date_from', 'date_to', 'state', 'company_id.currency_id.name'] as const),
      ...(['company_id.accounting_consultant', 'company_id.accounting_client'] as const),
    ]);
  periods.sort((a, b) => a.date_from.localeCompare(b.date_from));
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) throw new UserError('Choose periods of one company and year.');
  const found = await env.model('accounting.posting').search(
    [
      ['period_id', 'in', ids],
      ['amount', '>', 0],
    ],
    { order: 'date, id', limit: mostRows },
  );
  const postings = await env.model('accounting.posting').load(found, [...postingPaths]);
  const { company_id: company } = first;
  const codes = postings.flatMap((row) => [row.debit_account_id.code.length, row.credit_account_id.code.length]);
  const body = datevFile(
    {
      consultant: company.accounting_consultant ?? 0,
      client: company.accounting_client ?? 0,
      ...{ from: first.date_from, to: last.date_to, now: env.now },
      currency: (company.currency_id as { readonly name: string }).name,
      digits: Math.max(4, ...codes),
      isFinal: periods.every(({ state }) => state === 'closed'),
    },
    postings.map(rowOf),
  );
  return {
    exported: { model: 'accounting.posting', ids: found },
    ...fileAnswer({
      ...{ name: `EXTF_Buchungsstapel_${first.name}_${last.name}.csv`, type: 'text/csv; charset=windows-1252' },
      content: body,
    }),
  };
}

function rowOf(posting: Loaded<'accounting.posting', (typeof postingPaths)[number]>): DatevRow {
  const { amount, document_amount, currency_id: currency, entry_id: entry } = posting;
  const { debit_account_id: debit, credit_account_id: credit, company_currency_id: own } = posting;
  const isForeign = currency.name !== (own as { readonly name: string } | null)?.name && document_amount.gt(0);
  return {
    ...{ date: posting.date ?? '', debit: debit.code, credit: credit.code, amount },
    key: credit.datev_key ?? debit.datev_key,
    document: isForeign ? { amount: document_amount, currency: currency.name } : null,
    ...{ number: entry.name, text: entry.partner_id.name },
    vat: posting.tax_kind === 'reverse' ? (entry.invoice_id?.vat ?? null) : null,
  };
}
