import type { ClientAddon } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';

/** In development a page loads itself again when the client, or the browser code of an addon, was built anew. */
export function reloadOnBuild(): void {
  const manifest = new URL(/* @vite-ignore */ '../manifest.json', import.meta.url);
  const addons = JSON.stringify(bootstrap().clientAddons);
  let known: string | null = null;
  setInterval(async () => {
    const tag = (await ask(manifest))?.headers.get('etag') ?? null;
    const clients = (await (await ask('/web/addon/clients'))?.json().catch(() => null)) as {
      readonly result: readonly ClientAddon[];
    } | null;
    const isNew = (known !== null && tag !== known) || (clients && JSON.stringify(clients.result) !== addons);
    if (tag !== null && isNew) location.reload();
    known = tag ?? known;
  }, 1000);
}

/** Null while the server starts again. */
async function ask(address: URL | string): Promise<Response | null> {
  const headers = { accept: 'application/json' };
  const answer = await fetch(address, { method: 'GET', cache: 'no-cache', headers }).catch(() => null);
  return answer?.ok ? answer : null;
}
