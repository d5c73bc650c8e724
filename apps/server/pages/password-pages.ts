import { formField, notice } from './fields.ts';
import { html } from './html.ts';
import { page } from './page.ts';

export function forgotPage(nonce: string): string {
  return page({
    nonce,
    title: 'Forgot your password?',
    body: html`<p>Tell us your login. If it is known, a link to choose a new password is on its way.</p>
      <form method="post" action="/web/forgot-password">
        ${formField({ name: 'login', label: 'E-mail or login', autocomplete: 'username', isFirst: true })}
        <button type="submit">Send the link</button>
      </form>
      <p><a href="/web/login">Back to sign in</a></p>`,
  });
}

export function resetPage(nonce: string, token: string, problems: readonly string[] = []): string {
  return page({
    nonce,
    title: 'Choose a new password',
    body: html`<form method="post" action="/web/reset-password">
        <input type="hidden" name="token" value="${token}">
        ${formField({
          name: 'password',
          label: 'New password',
          type: 'password',
          autocomplete: 'new-password',
          hint: '8 to 128 characters.',
          problems,
          isFirst: true,
        })}
        <button type="submit">Set the password</button>
      </form>`,
  });
}

export function deadLinkPage(nonce: string): string {
  return page({
    nonce,
    title: 'This link is no longer good',
    body: html`${notice('bad', 'A link to choose a password works once, for one hour.')}
      <p>Ask for a new one, or ask your administrator.</p>
      <p><a class="button" href="/web/login">Back to sign in</a></p>`,
  });
}
