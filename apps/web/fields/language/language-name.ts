import { locale } from '../../i18n/messages.ts';

/** `de_DE` as people say it, in their own language; a code that nobody knows stays as it is. */
export function languageName(code: string): string {
  try {
    const names = new Intl.DisplayNames(locale(), { type: 'language', languageDisplay: 'standard' });
    return names.of(code.replace('_', '-')) ?? code;
  } catch {
    return code;
  }
}
