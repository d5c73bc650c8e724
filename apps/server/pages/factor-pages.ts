import type { NewTotp } from '@kontor/parts';
import { type Html, html } from '@kontor/parts';
import { type Translate, text } from '@kontor/protocol';
import type { RequestWords } from '../http/request-language.ts';
import { formField, notice, page } from './page.ts';
import { qrPicture } from './qr-picture.ts';

export const codeFailure = text('The code is incorrect. After several failed attempts, wait 15 minutes.');

interface FactorPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly methods: readonly string[];
  readonly hasFailed?: boolean;
}

export function factorPage({ nonce, words, methods, hasFailed = false }: FactorPage): string {
  const { say } = words;
  const about = methods.includes('totp')
    ? say('Enter the code from your authenticator app, or a recovery code.')
    : say('Enter a recovery code.');
  return page({
    nonce,
    words,
    title: say('Second step'),
    about,
    body: html`${hasFailed ? notice('bad', say(codeFailure)) : ''}
      ${methods.includes('passkey') ? passkeyButton(nonce, say) : ''}
      <form method="post" action="/web/login/factor">
        ${formField({ name: 'code', label: say('Code'), autocomplete: 'one-time-code', isFirst: true })}
        <button type="submit">${say('Sign in')}</button>
      </form>
      <p class="foot"><a href="/web/login">${say('Back to sign in')}</a></p>`,
  });
}

/** Shown by its script: without scripts there are no passkeys. */
export function passkeyButton(nonce: string, say: Translate, next = ''): Html {
  return html`<button type="button" class="second" id="passkey" data-next="${next}" data-busy="${say('Waiting for your passkey …')}" hidden>
      ${say('Use a passkey')}</button>
    <p class="notice bad" role="alert" id="passkey-problem" hidden></p>
    <script type="module" nonce="${nonce}" src="/web/static/page-passkey.js"></script>`;
}

interface EnrolPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly totp: NewTotp;
  readonly hasFailed: boolean;
}

export function enrolPage({ nonce, words, totp, hasFailed }: EnrolPage): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: say('Set up a second factor'),
    about: say(
      'Your administrator requires two factors. Scan this with an authenticator app, then enter the code it shows.',
    ),
    body: html`${hasFailed ? notice('bad', say('This is not the current code. Try again, and check the clock of your phone.')) : ''}
      <p class="qr"><img src="${qrPicture(totp.uri)}" width="208" height="208" alt="${say('QR code for the authenticator app')}"></p>
      <p class="hint">${say('Or enter this key in the app:')} <code>${spaced(totp.secret)}</code></p>
      <form method="post" action="/web/login/enrol">
        ${formField({ name: 'code', label: say('Code'), autocomplete: 'one-time-code', isFirst: true })}
        <button type="submit">${say('Turn on and sign in')}</button>
      </form>
      <p class="foot"><a href="/web/login">${say('Back to sign in')}</a></p>`,
  });
}

interface RecoveryPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly codes: readonly string[];
  readonly next: string;
}

/** They are shown only this once. */
export function recoveryPage({ nonce, words, codes, next }: RecoveryPage): string {
  const { say } = words;
  return page({
    nonce,
    words,
    title: say('Your recovery codes'),
    about: say(
      'Each code signs you in once if you do not have the app. Store them where you can find them without it: they are not shown again.',
    ),
    body: html`<ul class="codes">${codes.map((code): Html => html`<li><code>${code}</code></li>`)}</ul>
      <a class="button" href="${next}">${say('I have saved them')}</a>`,
  });
}

/** In groups of four, as people read it. */
function spaced(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ');
}
