import { isRightToLeft, locale } from './messages.ts';

const turned: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The key as if lines went from left to right: `ArrowRight` is onwards, whichever way the page is read. */
export function readingKey(key: string): string {
  return isRightToLeft() ? (turned[key] ?? key) : key;
}

/** A label inside a sentence. German writes its nouns large wherever they stand. */
export function inSentence(label: string): string {
  return /^de\b/.test(locale()) || /^\p{Lu}{2}/u.test(label) ? label : label.toLocaleLowerCase(locale());
}
