import type { TestPage } from './test-page.ts';

export interface RpcCall {
  readonly model: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

/** What the page asks of the server from now on, without what only reads. */
export function watchChanges({ page }: TestPage): RpcCall[] {
  const calls: RpcCall[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/rpc')) return;
    const call = request.postDataJSON() as RpcCall;
    const isChange = !['search', 'search_read', 'read', 'read_group', 'onchange'].includes(call.method);
    if (isChange && call.model !== 'sys.user.setting') calls.push(call);
  });
  return calls;
}
