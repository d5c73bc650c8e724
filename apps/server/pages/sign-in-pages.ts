import { html } from '@kontor/parts';
import { text } from '@kontor/protocol';
import type { RequestWords } from '../http/request-language.ts';
import { passkeyButton } from './factor-pages.ts';
import { formField, notice, page } from './page.ts';

interface LoginPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly next: string;
  readonly login?: string;
  readonly hasFailed?: boolean;
  readonly message?: string | null;
  readonly isProblem?: boolean;
  /** The display name of the OpenID Connect provider. */
  readonly provider?: string | null;
  /** Whether a password reset can be sent by mail. */
  readonly hasMail: boolean;
}

export const loginFailure = text('The login or password is incorrect. After several failed attempts, wait 15 minutes.');

export function loginPage(given: LoginPage): string {
  const { say } = given.words;
  return page({
    nonce: given.nonce,
    words: given.words,
    title: say('Sign in'),
    body: html`${given.message ? notice(given.isProblem ? 'bad' : 'ok', given.message) : ''}
      ${given.hasFailed ? notice('bad', say(loginFailure)) : ''}
      <form method="post" action="/web/login">
        <input type="hidden" name="next" value="${given.next}">
        ${formField({ name: 'login', label: say('E-mail or login'), value: given.login ?? '', autocomplete: 'username', isFirst: !given.login })}
        ${formField({ name: 'password', label: say('Password'), type: 'password', autocomplete: 'current-password', isFirst: Boolean(given.login) })}
        <button type="submit">${say('Sign in')}</button>
      </form>
      ${given.provider ? html`<a class="button second" href="/web/login/oidc?next=${encodeURIComponent(given.next)}">${say(text('Sign in with {provider}', { provider: given.provider }))}</a>` : ''}
      ${passkeyButton(given.nonce, say, given.next)}
      ${given.hasMail ? html`<p class="foot"><a href="/web/forgot-password">${say('Forgot your password?')}</a></p>` : ''}`,
  });
}

export function forgotPage(nonce: string, words: RequestWords): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: say('Forgot your password?'),
    about: say('Enter your login. If it exists, we will send a link to choose a new password.'),
    body: html`<form method="post" action="/web/forgot-password">
        ${formField({ name: 'login', label: say('E-mail or login'), autocomplete: 'username', isFirst: true })}
        <button type="submit">${say('Send the link')}</button>
      </form>
      <p class="foot"><a href="/web/login">${say('Back to sign in')}</a></p>`,
  });
}

interface ResetPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly token: string;
  readonly problems?: readonly string[];
}

export function resetPage({ nonce, words, token, problems = [] }: ResetPage): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: say('Choose a new password'),
    body: html`<form method="post" action="/web/reset-password">
        <input type="hidden" name="token" value="${token}">
        ${formField({
          name: 'password',
          label: say('New password'),
          type: 'password',
          autocomplete: 'new-password',
          hint: say('8 to 128 characters.'),
          problems,
          isFirst: true,
        })}
        <button type="submit">${say('Set the password')}</button>
      </form>`,
  });
}

export function deadLinkPage(nonce: string, words: RequestWords): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: say('This link has expired'),
    body: html`${notice('bad', say('The link works once and is valid for one hour.'))}
      <p>${say('Ask for a new one, or ask your administrator.')}</p>
      <a class="button" href="/web/login">${say('Back to sign in')}</a>`,
  });
}
