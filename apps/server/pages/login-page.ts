import { text } from '@kontor/protocol';
import type { RequestWords } from '../http/request-language.ts';
import { formField, notice } from './fields.ts';
import { html } from './html.ts';
import { page } from './page.ts';

export interface LoginPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly next: string;
  readonly login?: string;
  readonly hasFailed?: boolean;
  readonly message?: string | null;
  /** Whether a forgotten password can be mailed. */
  readonly hasMail: boolean;
}

export const loginFailure = text(
  'The login or the password is not right. After several tries, wait a quarter of an hour.',
);

export function loginPage(given: LoginPage): string {
  const { say } = given.words;
  return page({
    nonce: given.nonce,
    words: given.words,
    title: say('Sign in'),
    body: html`${given.message ? notice('ok', given.message) : ''}
      ${given.hasFailed ? notice('bad', say(loginFailure)) : ''}
      <form method="post" action="/web/login">
        <input type="hidden" name="next" value="${given.next}">
        ${formField({ name: 'login', label: say('E-mail or login'), value: given.login ?? '', autocomplete: 'username', isFirst: !given.login })}
        ${formField({ name: 'password', label: say('Password'), type: 'password', autocomplete: 'current-password', isFirst: Boolean(given.login) })}
        <button type="submit">${say('Sign in')}</button>
      </form>
      ${given.hasMail ? html`<p class="foot"><a href="/web/forgot-password">${say('Forgot your password?')}</a></p>` : ''}`,
  });
}
