import { formField, notice } from './fields.ts';
import { html } from './html.ts';
import { page } from './page.ts';

export interface LoginPage {
  readonly nonce: string;
  readonly next: string;
  readonly login?: string;
  readonly hasFailed?: boolean;
  readonly message?: string | null;
  /** Whether a forgotten password can be mailed. */
  readonly hasMail: boolean;
}

export const loginFailure = 'The login or the password is not right. After several tries, wait a quarter of an hour.';

export function loginPage(given: LoginPage): string {
  return page({
    nonce: given.nonce,
    title: 'Sign in',
    body: html`${given.message ? notice('ok', given.message) : ''}
      ${given.hasFailed ? notice('bad', loginFailure) : ''}
      <form method="post" action="/web/login">
        <input type="hidden" name="next" value="${given.next}">
        ${formField({ name: 'login', label: 'E-mail or login', value: given.login ?? '', autocomplete: 'username', isFirst: true })}
        ${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
        <button type="submit">Sign in</button>
      </form>
      ${given.hasMail ? html`<p><a href="/web/forgot-password">Forgot your password?</a></p>` : ''}`,
  });
}
