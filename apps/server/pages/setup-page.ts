import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Addon, isPicture } from '@kontor/kernel';
import type { RequestWords } from '../http/request-language.ts';
import { formField, html, notice, page } from './page.ts';

interface SetupPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly proposedLanguage: string;
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  readonly apps: readonly {
    readonly name: string;
    readonly label: string;
    readonly summary: string;
    readonly icon: string | null;
  }[];
  readonly chosenApps: readonly string[];
  readonly needsToken: boolean;
}

export function setupPage(given: SetupPage): string {
  const { values, problems, words } = given;
  const { say } = words;
  const isRefused = Object.keys(problems).length > 0;
  return page({
    nonce: given.nonce,
    words,
    title: say('Set up Kontor'),
    about: say('Two minutes, and you can start to work.'),
    isWide: true,
    body: html`${isRefused ? notice('bad', say('Some fields need another look.')) : ''}
      <form method="post" action="/setup/init">
        <div class="section"><div class="pair">
        ${formField({ name: 'company_name', label: say('Company'), autocomplete: 'organization', isFirst: true, ...of('company_name') })}
        ${languageField(given)}
        ${formField({ name: 'admin_name', label: say('Your name'), autocomplete: 'name', ...of('admin_name') })}
        ${formField({ name: 'email', label: say('E-mail'), type: 'email', autocomplete: 'email', hint: say('You sign in with it.'), ...of('email') })}
        ${formField({
          name: 'password',
          label: say('Password'),
          type: 'password',
          autocomplete: 'new-password',
          hint: say('8 to 128 characters.'),
          problems: problems.password,
        })}
        ${given.needsToken ? formField({ name: 'setup_token', label: say('Setup token'), autocomplete: 'off', ...of('setup_token') }) : ''}
        </div></div>
        ${given.apps.length > 0 ? appChoices(given) : ''}
        <div class="section"><label class="choice"><input type="checkbox" name="demo" value="1" ${values.demo === '1' ? html`checked` : ''}>
          <span>${say('Fill it with demonstration data')}
            <span class="hint">${say('Companies, orders and projects to try things out with.')}</span></span></label></div>
        <button type="submit">${say('Set up Kontor')}</button>
      </form>`,
  });

  function of(name: string) {
    return { value: values[name] ?? '', problems: problems[name] };
  }
}

function languageField({ words, values, problems, languages, proposedLanguage }: SetupPage) {
  return html`<div class="field"><label for="lang">${words.say('Language')}</label>
    <select id="lang" name="lang">${languages.map(
      ({ code, name }) =>
        html`<option value="${code}" ${code === (values.lang || proposedLanguage) ? html`selected` : ''}>${name}</option>`,
    )}</select>
    ${problems.lang ? html`<p class="problem">${problems.lang.join(' ')}</p>` : ''}</div>`;
}

function appChoices({ apps, chosenApps, problems, words }: SetupPage) {
  return html`<fieldset class="section"><legend>${words.say('Apps')}</legend>
    <p class="hint">${words.say('More can be installed at any time.')}</p>
    <div class="apps">${apps.map(
      ({ name, label, summary, icon }) => html`<label class="choice">
        ${icon ? html`<img src="${icon}" alt="" width="36" height="36">` : ''}
        <span><b>${label}</b> <span class="hint">${summary}</span></span>
        <input type="checkbox" name="apps" value="${name}" ${chosenApps.includes(name) ? html`checked` : ''}></label>`,
    )}</div>
    ${problems.apps ? html`<p class="problem">${problems.apps.join(' ')}</p>` : ''}</fieldset>`;
}

const types: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' };
const maxBytes = 40_000;

/** An addon's picture in the page itself: before anybody can sign in, its files cannot be asked for. */
export async function inlineIcon({ folder, manifest }: Addon): Promise<string | null> {
  if (!isPicture(manifest.icon)) return null;
  const content = await readFile(join(folder, manifest.icon)).catch(() => null);
  if (!content || content.length > maxBytes) return null;
  return `data:${types[extname(manifest.icon).toLowerCase()]};base64,${content.toString('base64')}`;
}
