import { bootstrap } from '../data/bootstrap.ts';

type Params = Readonly<Record<string, string | number>>;

/** The person's words for an English text. `{name}` is filled from the second argument. */
export function t(text: string, params?: Params): string {
  const found = messages()[text] ?? text;
  return params ? fill(found, params) : found;
}

/** One or many: `tn('{n} record', '{n} records', count)`. */
export function tn(one: string, other: string, n: number, params: Params = {}): string {
  const isOne = new Intl.PluralRules(locale()).select(n) === 'one';
  return t(isOne ? one : other, { n: new Intl.NumberFormat(locale()).format(n), ...params });
}

/** `en_US` of the server as the browser writes it. */
export function locale(): string {
  return bootstrap().lang.replace('_', '-');
}

export function isRightToLeft(): boolean {
  return /^(ar|fa|he|ur|yi)\b/.test(locale());
}

function messages(): Readonly<Record<string, string>> {
  return bootstrap().messages;
}

function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
