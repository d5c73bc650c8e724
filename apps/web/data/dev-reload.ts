import type { ClientAddon, DevMistake, DevRound } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { hideMistakes, showMistakes } from './dev-overlay.ts';
import { inspectOnClick } from './dev-view-tree.ts';

/**
 * In development, reloads the page when the client or an addon is rebuilt, shows errors of an addon until they are
 * fixed, and shows where the parts of a view come from.
 */
export function reloadOnBuild(): void {
  void followBuild();
  void followRounds();
  watchFailures();
  inspectOnClick();
}

/** `npm run dev`, which restarts the server. */
async function followBuild(): Promise<void> {
  const manifest = new URL(/* @vite-ignore */ '../manifest.json', import.meta.url);
  const addons = JSON.stringify(bootstrap().clientAddons);
  let known: string | null = null;
  setInterval(async () => {
    const tag = (await ask(manifest))?.headers.get('etag') ?? null;
    const clients = await answerOf<readonly ClientAddon[]>('/web/addon/clients');
    const isNew = (known !== null && tag !== known) || (clients && JSON.stringify(clients) !== addons);
    if (tag !== null && isNew) location.reload();
    known = tag ?? known;
  }, 1000);
}

/** `kontor dev`, which upgrades in place; other servers have no rounds. */
async function followRounds(): Promise<void> {
  let round = await answerOf<DevRound>('/web/dev/round');
  if (!round) return;
  if (round.mistakes.length > 0) showMistakes(round.mistakes);
  for (;;) {
    const next: DevRound | null = await answerOf<DevRound>(`/web/dev/round?after=${round.round}`);
    if (!next) await new Promise((resolve) => setTimeout(resolve, 500));
    else if (next.round !== round.round) {
      round = next;
      if (next.mistakes.length > 0) showMistakes(next.mistakes);
      else {
        hideMistakes();
        location.reload();
      }
    }
  }
}

/** In development, an error in an addon's code shows its file and line. */
function watchFailures(): void {
  const { fetch: send } = window;
  window.fetch = async (...given) => {
    const answer = await send(...given);
    if (answer.status === 500)
      void answer
        .clone()
        .json()
        .then(showFailure, () => {});
    return answer;
  };
}

function showFailure({ error }: { readonly error?: { readonly details?: Readonly<Record<string, unknown>> } }): void {
  const { error: message, file, line } = error?.details ?? {};
  if (typeof message !== 'string') return;
  const mistake: DevMistake = { path: String(file ?? ''), line: Number(line ?? 0), message, fix: '' };
  showMistakes([mistake], true);
}

async function answerOf<T>(address: string): Promise<T | null> {
  const answer = await ask(address);
  const body = (await answer?.json().catch(() => null)) as { readonly result: T } | null | undefined;
  return body?.result ?? null;
}

/** Null while the server restarts. */
async function ask(address: URL | string): Promise<Response | null> {
  const headers = { accept: 'application/json' };
  const answer = await fetch(address, { method: 'GET', cache: 'no-cache', headers }).catch(() => null);
  return answer?.ok ? answer : null;
}
