import { writeNumber } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';

type Params = Readonly<Record<string, string | number>>;

/** The translation of an English text. `{name}` is filled from the second argument. */
export function t(text: string, params?: Params): string {
  const found = messages()[text] ?? text;
  return params ? fill(found, params) : found;
}

/** Singular or plural: `tn('{n} record', '{n} records', count)`, with as many forms as the user's language has. */
export function tn(one: string, other: string, n: number, params: Params = {}): string {
  const form = messages()[`${one}\n${pluralForm(n)}`];
  return fill(form ?? (n === 1 ? one : other), { n: countText(n), ...params });
}

/** English needs no `Intl.PluralRules`, whose first use takes the browser as long as a frame. */
function pluralForm(n: number): string {
  return /^en\b/.test(locale()) ? (n === 1 ? 'one' : 'other') : counting().plural.select(n);
}

function countText(n: number): string {
  const form = bootstrap().forms?.number;
  return (form && writeNumber(form, n, 0, 3)) ?? counting().number.format(n);
}

interface Counting {
  readonly locale: string;
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
}
let counted: Counting | null = null;

/** Cached: creating them takes longer than rendering a cell. */
function counting(): Counting {
  const now = locale();
  if (counted?.locale !== now)
    counted = { locale: now, plural: new Intl.PluralRules(now), number: new Intl.NumberFormat(now) };
  return counted;
}

/** Marks a text for translation that `t` gets later, from a table. */
export function mark(text: string): string {
  return text;
}

/** The user's locale as a BCP 47 tag, from the server's `en_US`. */
export function locale(): string {
  return bootstrap().lang.replace('_', '-');
}

/** Whether the page is right-to-left. The server decides, because it knows the languages. */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl';
}

function messages(): Readonly<Record<string, string>> {
  return bootstrap().messages;
}

function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** The name of a language such as `de_DE`, in the language of the user; unknown codes stay as they are. */
export function languageName(code: string): string {
  try {
    const names = new Intl.DisplayNames(locale(), { type: 'language', languageDisplay: 'standard' });
    return names.of(code.replace('_', '-')) ?? code;
  } catch {
    return code;
  }
}

const turned: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The key as in a left-to-right page: `ArrowRight` means forward in either direction. */
export function readingKey(key: string): string {
  return isRightToLeft() ? (turned[key] ?? key) : key;
}

/** A label inside a sentence: in lower case, except in German, which capitalises nouns. */
export function inSentence(label: string): string {
  return /^de\b/.test(locale()) || /^\p{Lu}{2}/u.test(label) ? label : label.toLocaleLowerCase(locale());
}
