import { sql } from '@kontor/database';
import { installModules, type Kernel, keepDataLanguage, languageChain, translateModuleData } from '@kontor/kernel';
import { type Env, insertExternalIds } from '@kontor/orm';
import { KontorError, type Text, text, ValidationError, type Words, yesOrNo } from '@kontor/protocol';
import { isMailAddress } from '../mail/send-mail.ts';
import { dropSetupToken, keepDemoChoice, wantsDemo } from '../settings/config-parameter.ts';
import { passwordProblem } from './passwords.ts';
import { hasUsers } from './rights.ts';

/**
 * Creates the company, its first administrator and the apps, in one transaction. The second of two callers gets
 * CONFLICT.
 */
export async function initialise(kernel: Kernel, form: SetupForm): Promise<void> {
  await kernel.changeModules(async (context) => {
    // Without waiting: an install can take longer than the lock timeout, and the second caller is rejected anyway.
    const [lock] = await context.tx.query<{ is_ours: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtext('kontor.setup')) as is_ours`,
    );
    if (!lock?.is_ours) throw new KontorError('CONFLICT', 'Kontor is being set up at this moment.');
    if (await hasUsers(context.tx)) throw new KontorError('CONFLICT', 'Kontor has been set up already.');
    const base = await installModules({ ...context, withDemo: false }, []);
    const env = context.envFor(base.registry, context.tx).sudo();
    await createFirstRecords(env, form);
    await dropSetupToken(context.tx);
    const withDemo = form.withDemo || (await wantsDemo(context.tx));
    if (withDemo) await keepDemoChoice(context.tx);
    await keepDataLanguage(env, form.lang);
    // The data of required modules was loaded before the language was chosen.
    await translateModuleData(env, context, base, form.lang);
    const apps = form.apps.length > 0 || !form.withDemo ? form.apps : shippedApps(kernel);
    if (apps.length === 0 && !withDemo) return base;
    const before = withDemo ? [...kernel.loaded.definitions.keys()].filter((name) => kernel.catalogue.has(name)) : [];
    return installModules({ ...context, withDemo }, [...before, ...apps]);
  });
}

/** The default apps of a demonstration: all that come with the server. */
function shippedApps({ catalogue }: Kernel): readonly string[] {
  return [...catalogue.values()]
    .filter((addon) => addon.isShipped && addon.manifest.application)
    .map(({ name }) => name);
}

/** Created before the apps, whose demonstration data refers to them as `base.main_company` and `base.user_admin`. */
async function createFirstRecords(env: Env, form: SetupForm): Promise<void> {
  const { country, tz, currencyId } = await placeOf(env, form);
  const { lang } = form;
  const languages = await env.model('core.lang').search([
    ['code', '=', lang],
    ['active', '=', false],
  ]);
  if (languages.length > 0) await env.model('core.lang').write(languages, { active: true });
  const companyId = await env
    .model('core.company')
    .create({ name: form.companyName, currency_id: currencyId, country_id: country, lang, tz });
  const userId = await env.model('core.user').create({
    name: form.adminName,
    login: form.email,
    email: form.email,
    password: form.password,
    lang,
    tz,
    company_id: companyId,
    company_ids: [['set', [companyId]]],
    group_ids: [['set', [await env.ref('base.group_system')]]],
  });
  await insertExternalIds(env, [
    { id: 'base.main_company', model: 'core.company', resId: companyId, noupdate: true, checksum: null },
    { id: 'base.user_admin', model: 'core.user', resId: userId, noupdate: true, checksum: null },
  ]);
}

/**
 * The defaults of a country. Without one, the currency is that of the language's country, and the time zone is unknown.
 */
async function placeOf(env: Env, { country: code, lang }: SetupForm) {
  const [row] = await env
    .model('core.country')
    .searchRead([['code', '=', code ?? lang.split('_')[1] ?? '']], ['currency_id', 'tz']);
  const currencyId = typeof row?.currency_id === 'number' ? row.currency_id : await env.ref('base.EUR');
  await env.model('core.currency').write([currencyId], { active: true });
  if (code === null) return { country: null, tz: 'UTC', currencyId };
  return { country: row?.id ?? null, tz: typeof row?.tz === 'string' ? row.tz : 'UTC', currencyId };
}

/** The input of the first-run wizard, validated. */
export interface SetupForm {
  readonly companyName: string;
  readonly adminName: string;
  readonly email: string;
  readonly password: string;
  readonly lang: string;
  /** Two letters. */
  readonly country: string | null;
  readonly apps: readonly string[];
  readonly withDemo: boolean;
}

export interface SetupChoices {
  readonly languages: ReadonlySet<string>;
  readonly countries: ReadonlySet<string>;
  readonly addons: ReadonlySet<string>;
}

/** Parses the wizard's fields, from JSON or a form; reports all invalid fields at once. */
export function readSetupForm(given: Readonly<Record<string, unknown>>, choices: SetupChoices): SetupForm {
  const problems: Record<string, Words[]> = {};
  const refuse = (field: string, message: Text) => {
    problems[field] = [...(problems[field] ?? []), message];
  };
  const read = (field: string, label: Text, max: number): string => {
    const value = given[field];
    const trimmed = typeof value === 'string' ? value.trim() : '';
    if (value !== undefined && value !== null && typeof value !== 'string')
      refuse(field, text('{label} must be a text.', { label }));
    else if (trimmed === '') refuse(field, text('{label} is required.', { label }));
    else if (trimmed.length > max) refuse(field, text('{label} has at most {max} characters.', { label, max }));
    else if (/[\0\ud800-\udfff]/u.test(trimmed))
      refuse(field, text('{label} contains characters that cannot be stored.', { label }));
    return trimmed;
  };

  const companyName = read('company_name', text('The company name'), 200);
  const adminName = read('admin_name', text('Your name'), 200);
  const email = read('email', text('The e-mail address'), 200);
  if (email !== '' && !isMailAddress(email)) refuse('email', text('This is not an e-mail address.'));
  const password = given.password;
  if (typeof password !== 'string' || password === '') refuse('password', text('A password is required.'));
  else {
    const problem = passwordProblem(password, [companyName]);
    if (problem) refuse('password', problem);
  }
  const country = given.country === undefined || given.country === '' ? null : given.country;
  if (country !== null && (typeof country !== 'string' || !choices.countries.has(country)))
    refuse('country', text('There is no such country.'));
  const lang = given.lang === undefined || given.lang === '' ? spokenIn(country, choices) : given.lang;
  if (typeof lang !== 'string' || !choices.languages.has(lang)) refuse('lang', text('This language is not available.'));
  const apps = readApps(given.apps);
  if (apps === null) refuse('apps', text('Enter app names, separated by commas.'));
  for (const app of apps ?? []) if (!choices.addons.has(app)) refuse('apps', text('There is no app "{app}".', { app }));

  const withDemo = yesOrNo(given.demo);
  if (withDemo === null) problems.demo = ['Must be 1 for demonstration data, or empty.'];

  if (Object.keys(problems).length > 0) throw new ValidationError(problems, text('Some fields need your attention.'));
  return {
    companyName,
    adminName,
    email: email.toLowerCase(),
    password: password as string,
    lang: lang as string,
    country: country as string | null,
    apps: apps ?? [],
    withDemo: withDemo === true,
  };
}

/** The main language of a country, if it is available. */
function spokenIn(country: unknown, { languages }: SetupChoices): string {
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return 'en_US';
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const isSpoken = (lang: string): boolean => lang.split('_')[0] === language;
  const near = languageChain(`${language}_${country}`).find((lang) => languages.has(lang));
  const english = `en_${country}`;
  return near ?? [...languages].find(isSpoken) ?? (languages.has(english) ? english : 'en_US');
}

/** `a,b` as the specification has it, or a list, as checkboxes and JSON callers send it. */
function readApps(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (!list.every((item) => typeof item === 'string')) return null;
  return (list as string[])
    .flatMap((item) => item.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
