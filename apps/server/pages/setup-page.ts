import type { RequestWords } from '../http/request-language.ts';
import { formField, notice } from './fields.ts';
import { html } from './html.ts';
import { page } from './page.ts';

export interface SetupPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly proposedLanguage: string;
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  readonly apps: readonly { readonly name: string; readonly label: string; readonly summary: string }[];
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
    body: html`<p>${say('Two minutes, and you can start to work.')}</p>
      ${isRefused ? notice('bad', say('Some fields need another look.')) : ''}
      <form method="post" action="/setup/init">
        ${formField({ name: 'company_name', label: say('Company'), autocomplete: 'organization', isFirst: true, ...of('company_name') })}
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
        <div class="field"><label for="lang">${say('Language')}</label>
          <select id="lang" name="lang">${given.languages.map(
            ({ code, name }) =>
              html`<option value="${code}" ${code === (values.lang || given.proposedLanguage) ? html`selected` : ''}>${name}</option>`,
          )}</select>
          ${problems.lang ? html`<p class="problem">${problems.lang.join(' ')}</p>` : ''}</div>
        ${given.apps.length > 0 ? appChoices(given) : ''}
        <label class="choice"><input type="checkbox" name="demo" value="1" ${values.demo === '1' ? html`checked` : ''}>
          ${say('Fill it with demonstration data')}</label>
        ${given.needsToken ? formField({ name: 'setup_token', label: say('Setup token'), autocomplete: 'off', ...of('setup_token') }) : ''}
        <button type="submit">${say('Set up Kontor')}</button>
      </form>`,
  });

  function of(name: string) {
    return { value: values[name] ?? '', problems: problems[name] };
  }
}

function appChoices({ apps, chosenApps, problems, words }: SetupPage) {
  return html`<fieldset><legend>${words.say('Apps')}</legend>
    ${apps.map(
      ({ name, label, summary }) => html`<label class="choice">
        <input type="checkbox" name="apps" value="${name}" ${chosenApps.includes(name) ? html`checked` : ''}>
        <span>${label} <span class="hint">${summary}</span></span></label>`,
    )}
    ${problems.apps ? html`<p class="problem">${problems.apps.join(' ')}</p>` : ''}</fieldset>`;
}
