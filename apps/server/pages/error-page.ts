import type { KontorError } from '@kontor/protocol';
import { html } from './html.ts';
import { page } from './page.ts';

/** For people: what happened, the request id to quote, and a way on. */
export function errorPage(nonce: string, status: number, error: KontorError, requestId: string): string {
  const title = status === 404 ? 'There is nothing here' : status >= 500 ? 'Something went wrong' : 'That did not work';
  return page({
    nonce,
    title,
    body: html`<p class="lead">${error.message}</p>
      <p class="hint">Request <code>${requestId}</code></p>
      <p><a class="button" href="/">Back to the start</a></p>`,
  });
}
