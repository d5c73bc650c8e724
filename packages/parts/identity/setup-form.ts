import { type Text, text, ValidationError, type Words } from '@kontor/protocol';

/** What the first-run wizard asks for, checked. */
export interface SetupForm {
  readonly companyName: string;
  readonly adminName: string;
  readonly email: string;
  readonly password: string;
  readonly lang: string;
  readonly apps: readonly string[];
  readonly withDemo: boolean;
}

export interface SetupChoices {
  readonly languages: ReadonlySet<string>;
  readonly addons: ReadonlySet<string>;
}

const plainEmail = /^[^\s@<>"',;]+@[^\s@<>"',;]+$/;

/** Reads the wizard's fields, from JSON or a form; every bad field is named at once. */
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
      refuse(field, text('{label} holds characters that cannot be stored.', { label }));
    return trimmed;
  };

  const companyName = read('company_name', text('The company name'), 200);
  const adminName = read('admin_name', text('Your name'), 200);
  const email = read('email', text('The e-mail address'), 200);
  if (email !== '' && !plainEmail.test(email)) refuse('email', text('This is not an e-mail address.'));
  const password = given.password;
  if (typeof password !== 'string' || password === '') refuse('password', text('A password is required.'));
  else if (password.length < 8 || password.length > 128)
    refuse('password', text('A password has 8 to 128 characters.'));
  const lang = given.lang === undefined || given.lang === '' ? 'en_US' : given.lang;
  if (typeof lang !== 'string' || !choices.languages.has(lang)) refuse('lang', text('This language is not available.'));
  const apps = readApps(given.apps);
  if (apps === null) refuse('apps', text('Apps are given as names with commas between them.'));
  for (const app of apps ?? []) if (!choices.addons.has(app)) refuse('apps', text('There is no app "{app}".', { app }));

  if (Object.keys(problems).length > 0) throw new ValidationError(problems, text('Some fields need another look.'));
  return {
    companyName,
    adminName,
    email: email.toLowerCase(),
    password: password as string,
    lang: lang as string,
    apps: apps ?? [],
    withDemo: given.demo === '1' || given.demo === 1 || given.demo === true,
  };
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
