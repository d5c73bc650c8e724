import { bootstrap, request, rpc } from '@kontor/client';

export interface DueInvoice {
  readonly id: number;
  readonly name: string;
  readonly type: 'invoice' | 'credit';
  /** What is due, as digits. */
  readonly due: string;
  readonly dueDate: string;
  readonly currency: string;
  readonly partnerId: number;
  readonly partnerName: string;
}

export interface Suggestion {
  readonly level: 'certain' | 'likely' | 'possible' | 'chosen';
  readonly invoices: readonly DueInvoice[];
  readonly partnerId: number;
  readonly partnerName: string;
  readonly reasons: readonly string[];
}

/** As the server answers `GET /web/wc/bank/work`. */
export interface Entry {
  readonly id: number;
  readonly date: string;
  readonly amount: string;
  readonly currency: string;
  readonly party: string | null;
  readonly iban: string | null;
  readonly text: string | null;
  readonly reference: string | null;
  readonly state: State;
  readonly reason: string | null;
  readonly note: string | null;
  readonly is_fee: boolean;
  readonly is_return: boolean;
  readonly sent_amount: string | null;
  readonly sent_currency: string;
  readonly 'partner_id.name': string | null;
  readonly paid: readonly string[];
  readonly suggestions: readonly Suggestion[];
}

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly iban: string;
}

export type State = 'open' | 'matched' | 'aside';

export interface WorkPage {
  readonly entries: readonly Entry[];
  readonly more: boolean;
  readonly counts: Readonly<Partial<Record<State, number>>>;
  readonly accounts: readonly Account[];
}

export interface Question {
  readonly state: State;
  readonly account: number | null;
  readonly limit: number;
}

export async function loadWork({ state, account, limit }: Question): Promise<WorkPage> {
  const query = new URLSearchParams({
    ...{ state, limit: String(limit) },
    ...(account === null ? {} : { account: String(account) }),
  });
  return (await request<WorkPage>(`${bootstrap().wcApiBase}/bank/work?${query}`)).body;
}

export async function loadInvoices(entry: number, text: string): Promise<readonly DueInvoice[]> {
  const query = new URLSearchParams({ entry: String(entry), q: text });
  const { body } = await request<{ invoices: readonly DueInvoice[] }>(
    `${bootstrap().wcApiBase}/bank/invoices?${query}`,
  );
  return body.invoices;
}

export async function confirmEntry(id: number, { invoices, partnerId }: Suggestion): Promise<void> {
  const chosen = invoices.map((each) => each.id).join(',');
  const vals = chosen === '' ? { partner_id: String(partnerId) } : { invoice_ids: chosen };
  await rpc({ model: 'bank.entry', method: 'call', args: [id, 'action_confirm', vals] });
}

export async function setAside(id: number, reason: string): Promise<void> {
  await rpc({ model: 'bank.entry', method: 'call', args: [id, 'action_set_aside', { reason }] });
}

export async function reopenEntry(id: number): Promise<void> {
  await rpc({ model: 'bank.entry', method: 'call', args: [id, 'action_reopen'] });
}

interface ConfirmedMany {
  readonly confirmed: readonly number[];
  readonly problems: readonly { readonly id: number; readonly message: string }[];
}

export async function confirmAll(ids: readonly number[]): Promise<ConfirmedMany> {
  return (await request<{ result: ConfirmedMany }>('/web/bank/confirm-certain', { json: { ids } })).body.result;
}

export interface Mapping {
  readonly columns: Readonly<Record<string, string>>;
  readonly mark: ',' | '.';
  readonly days: 'ymd' | 'dmy' | 'mdy';
}

export type UploadAnswer =
  | {
      readonly taken: { readonly entries: number; readonly known: number; readonly pending: number };
      readonly warnings: readonly string[];
    }
  | { readonly needs: 'account'; readonly account: string; readonly currency: string | null }
  | { readonly needs: 'choice' }
  | {
      readonly needs: 'mapping';
      readonly accountId: number;
      readonly headers: readonly string[];
      readonly preview: readonly (readonly string[])[];
      readonly mapping: Mapping;
    };

export interface Upload {
  readonly file: File;
  readonly account: number | null;
  readonly mapping: Mapping | null;
  readonly createsAccount: boolean;
}

export async function sendFile({ file, account, mapping, createsAccount }: Upload): Promise<UploadAnswer> {
  const form = new FormData();
  form.set('file', file);
  if (account !== null) form.set('account', String(account));
  if (mapping !== null) form.set('mapping', JSON.stringify(mapping));
  if (createsAccount) form.set('create_account', '1');
  return (await request<{ result: UploadAnswer }>('/web/bank/upload', { form })).body.result;
}
