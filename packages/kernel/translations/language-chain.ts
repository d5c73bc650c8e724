/** English translations are rare: the texts in the code are already English. */
export const sourceLanguage = 'en_US';
const sourceChain = ['en_US', 'en'];

/**
 * The order in which translations are looked up: the language itself, that of its main country, the language alone. For `de_AT`:
 * `de_AT`, `de_DE` and `de`.
 */
export function languageChain(lang: string): readonly string[] {
  // Every start needs it, and the library of languages takes longer to load than this.
  if (lang === sourceLanguage) return sourceChain;
  const [language = '', ...rest] = lang.split('_');
  if (!/^[a-z]{2,3}$/.test(language)) return [lang];
  const chain = [[language, ...rest].join('_'), `${language}_${mainCountry(language)}`, language];
  return [...new Set(chain)];
}

function mainCountry(language: string): string {
  return new Intl.Locale(language).maximize().region ?? '';
}

const rightToLeft = /^(?:ar|dv|fa|ckb|he|ks|ps|sd|ug|ur|yi)(?:_|$)/;

/**
 * The text direction of a language.
 * ```ts
 * const page = (lang: string) => `<html lang="${languageTag(lang)}" dir="${directionOf(lang)}">`;
 * ```
 */
export function directionOf(lang: string): 'ltr' | 'rtl' {
  return rightToLeft.test(lang) ? 'rtl' : 'ltr';
}

/**
 * A language as a BCP 47 tag, as browsers and `Intl` take it: `en-US`.
 * ```ts
 * const countries = (lang: string) => new Intl.DisplayNames([languageTag(lang)], { type: 'region' });
 * ```
 */
export function languageTag(lang: string): string {
  return lang.replaceAll('_', '-');
}

/** The name of a language in that language: `Deutsch (Deutschland)`. */
export function ownLanguageName(lang: string): string {
  const tag = languageTag(lang);
  const name = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
