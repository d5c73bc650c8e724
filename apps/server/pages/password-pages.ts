import type { RequestWords } from '../http/request-language.ts';
import { formField, notice } from './fields.ts';
import { html } from './html.ts';
import { page } from './page.ts';

export function forgotPage(nonce: string, words: RequestWords): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: say('Forgot your password?'),
    about: say('Tell us your login. If it is known, a link to choose a new password is on its way.'),
    body: html`<form method="post" action="/web/forgot-password">
        ${formField({ name: 'login', label: say('E-mail or login'), autocomplete: 'username', isFirst: true })}
        <button type="submit">${say('Send the link')}</button>
      </form>
      <p class="foot"><a href="/web/login">${say('Back to sign in')}</a></p>`,
  });
}

export interface ResetPage {
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
    title: say('This link is no longer good'),
    body: html`${notice('bad', say('A link to choose a password works once, for one hour.'))}
      <p>${say('Ask for a new one, or ask your administrator.')}</p>
      <a class="button" href="/web/login">${say('Back to sign in')}</a>`,
  });
}
