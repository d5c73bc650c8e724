import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Addon, isPicture, type Kernel, languageTag, ownLanguageName, systemActor } from '@kontor/kernel';
import { checkPassword, html, initialise, keepBaseAddress, readSetupForm, type SetupChoices } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import { catalogueWords } from '@kontor/workspace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkSetupRight, neededSetupToken } from '../guards/setup-right.ts';
import { wantsJson } from '../http/envelope.ts';
import { type Fields, readFields, textField } from '../http/fields.ts';
import { ownAddress } from '../http/own-address.ts';
import type { RequestWords } from '../http/request-language.ts';
import { formField, notice, page } from '../pages/page.ts';
import { finishSignIn } from './sign-in-steps.ts';

/** The first-run wizard; not available once it is completed. */
export function setupRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.get('/', async (_request, reply) =>
    reply.redirect((await kernel.isInitialised()) ? '/web/home' : '/setup', 302),
  );

  server.get('/setup', async (request, reply) => {
    await refuseWhenDone(kernel);
    const { token } = request.query as { token?: unknown };
    return sendWizard(kernel, { request, reply }, 200, typeof token === 'string' ? { setup_token: token } : {});
  });

  server.post('/setup/init', async (request, reply) => {
    await refuseWhenDone(kernel);
    const fields = readFields(request);
    checkSetupRight(request, await neededSetupToken(kernel), givenToken(request, fields));
    try {
      await initialise(kernel, readSetupForm(fields, await setupChoices(kernel)));
      if (ownAddress(request) !== '') await keepBaseAddress(kernel.database, ownAddress(request));
    } catch (error) {
      if (wantsJson(request) || !isRefusal(error)) throw error;
      const { details } = error.translated(request.words.say);
      return sendWizard(kernel, { request, reply }, 422, fields, details.fields as Problems);
    }
    if (wantsJson(request)) return reply.send({ ok: true, redirect: '/web/login' });
    const [login, password] = [textField(fields, 'email'), textField(fields, 'password')];
    const verdict = await checkPassword(kernel.database, { login, password, address: request.ip });
    if (!verdict.isRight) return reply.redirect('/web/login', 303);
    return finishSignIn(kernel, { request, reply }, verdict.person, { method: 'password', next: '/web/home' });
  });
}

type Problems = Readonly<Record<string, readonly string[]>>;

async function refuseWhenDone(kernel: Kernel): Promise<void> {
  if (await kernel.isInitialised()) throw new KontorError('NOT_FOUND', 'There is no such page.');
}

function givenToken(request: FastifyRequest, fields: Fields): string {
  return textField(fields, 'setup_token') || String(request.headers['x-setup-token'] ?? '');
}

function isRefusal(error: unknown): error is KontorError {
  return error instanceof KontorError && error.code === 'VALIDATION_ERROR' && error.details.fields !== undefined;
}

/** English and every language with a wordbook, in all their regions: these decide how dates and numbers are written. */
async function languagesOf(kernel: Kernel): Promise<readonly { code: string; name: string }[]> {
  const rows = await kernel.read(
    systemActor,
    (env) => env.model('core.lang').searchRead([], ['code', 'active'], { order: 'name' }),
    { isSudo: true },
  );
  const { translations } = kernel.loaded;
  return rows
    .filter(({ code, active }) => active || /^en_/.test(String(code)) || translations.keyOf(String(code)) !== '')
    .map((row) => ({ code: String(row.code), name: ownLanguageName(String(row.code)) }));
}

/** Country codes; their names come from the user's language. */
async function countriesOf(kernel: Kernel): Promise<readonly string[]> {
  const rows = await kernel.read(systemActor, (env) => env.model('core.country').searchRead([], ['code']), {
    isSudo: true,
  });
  return rows.map((row) => String(row.code));
}

/** The available choices. */
export async function setupChoices(kernel: Kernel): Promise<SetupChoices> {
  const [languages, countries] = await Promise.all([languagesOf(kernel), countriesOf(kernel)]);
  return {
    languages: new Set(languages.map(({ code }) => code)),
    countries: new Set(countries),
    addons: new Set(kernel.catalogue.keys()),
  };
}

async function sendWizard(
  kernel: Kernel,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  status: number,
  fields: Fields,
  problems: Problems = {},
): Promise<FastifyReply> {
  const { words } = request;
  const languages = await languagesOf(kernel);
  const say = await catalogueWords(kernel, words.lang);
  const applications = [...kernel.catalogue.values()].filter(
    ({ manifest }) => manifest.application && !manifest.required,
  );
  const apps = await Promise.all(
    applications.map(async (addon) => {
      const { name, label, summary } = addon.manifest;
      return { name, label: say(label, name), summary: say(summary, name), icon: await inlineIcon(addon) };
    }),
  );
  const content = setupPage({
    nonce: reply.nonce,
    words,
    values: Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string')) as Record<
      string,
      string
    >,
    problems,
    languages,
    countries: await countriesOf(kernel),
    apps,
    chosenApps: [fields.apps].flat().filter((name) => typeof name === 'string'),
    needsToken: (await neededSetupToken(kernel)) !== '',
  });
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}

interface SetupPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly countries: readonly string[];
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

function setupPage(given: SetupPage): string {
  const { values, problems, words } = given;
  const { say } = words;
  const isRefused = Object.keys(problems).length > 0;
  return page({
    nonce: given.nonce,
    words,
    title: say('Set up Kontor'),
    about: say('This takes about two minutes.'),
    isWide: true,
    body: html`${isRefused ? notice('bad', say('Some fields need your attention.')) : ''}
      <form method="post" action="/setup/init">
        <div class="section"><div class="pair">
        ${formField({ name: 'company_name', label: say('Company'), autocomplete: 'organization', isFirst: true, ...of('company_name') })}
        ${countryField(given)}
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
        ${languageField(given)}
        ${given.needsToken ? formField({ name: 'setup_token', label: say('Setup token'), autocomplete: 'off', ...of('setup_token') }) : ''}
        </div></div>
        ${given.apps.length > 0 ? appChoices(given) : ''}
        <div class="section"><label class="choice"><input type="checkbox" name="demo" value="1" ${values.demo === '1' ? html`checked` : ''}>
          <span>${say('Load demonstration data')}
            <span class="hint">${say('Sample companies, orders and projects to explore.')}</span></span></label></div>
        <button type="submit">${say('Set up Kontor')}</button>
      </form>`,
  });

  function of(name: string) {
    return { value: values[name] ?? '', problems: problems[name] };
  }
}

interface SelectField {
  readonly name: string;
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
  readonly problems: readonly string[] | undefined;
}

function selectField({ name, label, chosen, options, hint, problems = [] }: SelectField) {
  return html`<div class="field"><label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${hint ? html`aria-describedby="${name}-hint"` : ''}>${options.map(
      ([value, shown]) => html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${shown}</option>`,
    )}</select>
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}
    ${problems.length > 0 ? html`<p class="problem">${problems.join(' ')}</p>` : ''}</div>`;
}

/** The proposed country is that of the browser's language. */
function countryField({ words, values, problems, countries }: SetupPage) {
  const tag = languageTag(words.lang);
  const names = new Intl.DisplayNames([tag], { type: 'region' });
  const sorted = countries
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, tag));
  return selectField({
    name: 'country',
    label: words.say('Country'),
    chosen: values.country ?? words.lang.split('_')[1] ?? '',
    options: [['', ''], ...sorted],
    hint: words.say('Sets currency, time zone, language and taxes.'),
    problems: problems.country,
  });
}

function languageField({ words, values, problems, languages }: SetupPage) {
  return selectField({
    name: 'lang',
    label: words.say('Language'),
    chosen: values.lang ?? '',
    options: [['', words.say('As in the country')], ...languages.map(({ code, name }) => [code, name] as const)],
    problems: problems.lang,
  });
}

function appChoices({ apps, chosenApps, problems, words }: SetupPage) {
  return html`<fieldset class="section"><legend>${words.say('Apps')}</legend>
    <p class="hint">${words.say('You can install more at any time.')}</p>
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

/** An addon's icon in the page itself: before sign-in, its files cannot be requested. */
async function inlineIcon({ folder, manifest }: Addon): Promise<string | null> {
  if (!isPicture(manifest.icon)) return null;
  const content = await readFile(join(folder, manifest.icon)).catch(() => null);
  if (!content || content.length > maxBytes) return null;
  return `data:${types[extname(manifest.icon).toLowerCase()]};base64,${content.toString('base64')}`;
}
