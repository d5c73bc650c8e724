import { type Text, text } from './text.ts';

const placeholder = /\{([a-z]\w*(?:\.\w+)*)\}/g;
const mostPlaceholders = 100;

/** The names in braces in a text, in order. */
export function placeholdersIn(given: string): readonly string[] {
  return [...given.matchAll(placeholder)].map(([, name = '']) => name);
}

/** What is wrong with the braces in a text that a person writes; null if nothing. Braces are for placeholders alone. */
export function placeholderMistake(given: string, known: readonly string[]): Text | null {
  const names = placeholdersIn(given);
  const list = known.map((name) => `{${name}}`).join(', ');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const name = `{${unknown}}`;
    return known.length === 0
      ? text('There is no placeholder {name} here.', { name })
      : text('There is no placeholder {name}. Use one of: {list}', { name, list });
  }
  if (/[{}]/.test(given.replaceAll(placeholder, ''))) {
    return known.length === 0
      ? text('Braces are only for placeholders, and there are none here.')
      : text('Braces are only for placeholders. Use one of: {list}', { list });
  }
  if (names.length > mostPlaceholders)
    return text('A text has at most {most} placeholders.', { most: mostPlaceholders });
  return null;
}

/**
 * Replaces placeholders by their values, once: a value is never read as a text with placeholders. A line with a placeholder that has no
 * value (null) is left out.
 */
export function fillPlaceholders(given: string, find: (name: string) => string | null): string {
  const lines = given.split(/\r\n|\n/).flatMap((line) => {
    let isComplete = true;
    const filled = line.replaceAll(placeholder, (_whole, name: string) => {
      const value = find(name);
      if (value === null) isComplete = false;
      return value ?? '';
    });
    return isComplete ? [filled] : [];
  });
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
