import type { Browser, Envelope, RpcReply } from '../browser.ts';

export type UploadFields = Readonly<Record<string, string>>;

/** Sends a file as the form of a page would. */
export function postCsv(
  browser: Browser,
  content: string | Uint8Array<ArrayBuffer>,
  fields: UploadFields = {},
  { path = '/web/bulk/upload', headers = {}, fileName = 'orders.csv' } = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ csrf_token: browser.csrf, model: 'shop.order', ...fields })) {
    form.set(name, value);
  }
  form.set('file', new Blob([content], { type: 'text/csv' }), fileName);
  return browser.fetch(path, { method: 'POST', body: form, headers });
}

/** Stages a file and answers the id of its batch. */
export async function stage(
  browser: Browser,
  content: string | Uint8Array<ArrayBuffer>,
  fields: UploadFields = {},
): Promise<number> {
  const response = await postCsv(browser, content, fields, { headers: { accept: 'application/json' } });
  const { result, error } = (await response.json()) as Envelope;
  if (!result) throw new Error(`Not staged: ${error?.code} ${error?.message}`);
  return (result as { id: number }).id;
}

export interface BadCell {
  readonly row: number;
  readonly column: string;
  readonly message: string;
}

/** Confirms a batch by RPC and answers the whole reply. */
export function confirm(
  browser: Browser,
  id: number,
  params: Readonly<Record<string, string>> = {},
  kwargs: object = {},
): Promise<RpcReply> {
  return browser.call({
    model: 'sys.bulk.import',
    method: 'call',
    args: [id, 'action_confirm_import', params],
    kwargs,
  });
}

export function badCells({ error }: RpcReply): readonly BadCell[] {
  return (error?.details.rows ?? []) as readonly BadCell[];
}

/** `imported_1_updated_0_skipped_0` of an answer. */
export function counts({ result, error }: RpcReply): string {
  if (error) return `${error.code}: ${error.message}`;
  const { redirect } = result as { redirect: string };
  return new URL(redirect, 'http://x').searchParams.get('msg') ?? '';
}

export async function batchOf(browser: Browser, id: number): Promise<Record<string, unknown>> {
  const [batch] = await browser.rpc<Record<string, unknown>[]>('sys.bulk.import', 'read', [[id]]);
  return batch as Record<string, unknown>;
}
