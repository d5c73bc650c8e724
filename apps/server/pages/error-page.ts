import type { KontorError, Translate } from '@kontor/protocol';
import type { RequestWords } from '../http/request-language.ts';
import { html, page } from './page.ts';

export interface ErrorPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly status: number;
  /** In the reader's language. */
  readonly error: KontorError;
  readonly requestId: string;
}

/** For people: what happened, the request id to quote, and a way on. */
export function errorPage({ nonce, words, status, error, requestId }: ErrorPage): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: titleOf(status, say),
    about: error.message,
    body: html`<a class="button" href="/">${say('Back to the start')}</a>
      <p class="foot hint">${say('Request')} <code>${requestId}</code></p>`,
  });
}

function titleOf(status: number, say: Translate): string {
  if (status === 404) return say('There is nothing here');
  return status >= 500 ? say('Something went wrong') : say('That did not work');
}
