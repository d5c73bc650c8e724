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

/** From now on no change is answered until the returned function is called; what comes after it is answered again. */
export async function holdAnswers({ page, idle }: TestPage): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/rpc', async (route) => {
    const { method } = route.request().postDataJSON() as RpcCall;
    if (['write', 'create', 'call'].includes(method)) await held;
    await route.continue();
  });
  return async () => {
    release();
    await idle();
  };
}
