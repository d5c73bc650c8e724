/** A LIKE pattern that finds the text anywhere. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** A raw pattern; a trailing backslash stands for itself instead of causing a database error. */
export function rawPattern(text: string): string {
  const dangling = /\\*$/.exec(text)?.[0].length ?? 0;
  return dangling % 2 === 1 ? `${text}\\` : text;
}

/**
 * LIKE as in PostgreSQL: by code points, `%` matches any text, `_` one character, a backslash escapes the next
 * character.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const tokens = tokenize(pattern);
  const characters = Array.from(text);
  let token = 0;
  let character = 0;
  let star = -1;
  let resume = 0;
  while (character < characters.length) {
    const expected = tokens[token];
    if (expected === anyText) {
      star = token++;
      resume = character;
    } else if (expected !== undefined && (expected === anyCharacter || expected === characters[character])) {
      token++;
      character++;
    } else if (star >= 0) {
      token = star + 1;
      character = ++resume;
    } else return false;
  }
  while (tokens[token] === anyText) token++;
  return token === tokens.length;
}

const anyText = Symbol('%');
const anyCharacter = Symbol('_');

function tokenize(pattern: string): readonly (string | symbol)[] {
  const tokens: (string | symbol)[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped) tokens.push(character);
    else if (character === '%') tokens.push(anyText);
    else if (character === '_') tokens.push(anyCharacter);
    else if (character !== '\\') tokens.push(character);
    isEscaped = !isEscaped && character === '\\';
  }
  return tokens;
}
