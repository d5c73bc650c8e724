import type { Field } from './model.ts';

/**
 * The column with the translations of a text from a data file: by the stored text, then by language, such as
 * `{"New": {"de_DE": "Neu"}}`. A text that somebody changed has no translations there and is shown as it is.
 */
export function wordsColumn(field: Field): string | null {
  return field.spec.translated === true && field.column !== null ? `${field.column}_words` : null;
}

/** The key of the English texts, which data files contain. */
export const englishKey = 'en';
