/** Wordbooks of English are rare: the texts in the code are English already. */
export const sourceLanguage = 'en_US';
const sourceChain = ['en_US', 'en'];

/**
 * The order in which translations are looked up: the language itself, that of its main country, the language alone. For `de_AT`:
 * `de_AT`, `de_DE` and `de`.
 */
export function languageChain(lang: string): readonly string[] {
  // Every start needs it, and the library of languages takes longer to load than all of this.
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

/** Which way a page in the language is read. */
export function directionOf(lang: string): 'ltr' | 'rtl' {
  return rightToLeft.test(lang) ? 'rtl' : 'ltr';
}

/** `en_US` as browsers write it. */
export function languageTag(lang: string): string {
  return lang.replaceAll('_', '-');
}

/** A language as those who speak it call it: `Deutsch (Deutschland)`. */
export function ownLanguageName(lang: string): string {
  const tag = languageTag(lang);
  const name = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
