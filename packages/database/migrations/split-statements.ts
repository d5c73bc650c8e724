/** One statement of a file, and its position. */
export interface SqlStatement {
  readonly text: string;
  /** Offset of its first character in the file. */
  readonly start: number;
  /** Its words outside quotes and comments, in lower case, as far as they are needed to judge it. */
  readonly words: readonly string[];
}

const maxWords = 8;
const token =
  /--[^\n]*|\/\*|(?<![a-z0-9_$])e'(?:[^'\\]|\\[\s\S]|'')*'?|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|(?<![a-z0-9_$])\$(?:[a-z_\u0080-\uffff][a-z0-9_\u0080-\uffff]*)?\$|[a-z_\u0080-\uffff][a-z0-9_$\u0080-\uffff]*|[\s\S]/gi;

/**
 * Splits an SQL file at its semicolons, except those in quotes, comments, dollar quotes and `begin atomic … end` bodies. The driver
 * sends one statement at a time, so that an error can name its line.
 */
export function splitStatements(file: string): SqlStatement[] {
  // A byte order mark would become part of the first word.
  const text = file.replace(/^\ufeff/, ' ');
  const statements: SqlStatement[] = [];
  let start = -1;
  let words: string[] = [];
  let depth = 0;
  const close = (end: number) => {
    if (start >= 0) statements.push({ text: text.slice(start, end), start, words });
    start = -1;
    words = [];
    depth = 0;
  };
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [piece] = match;
    if (piece === ';' && depth === 0) {
      close(match.index);
      continue;
    }
    if (piece.startsWith('--')) continue;
    if (piece === '/*') {
      token.lastIndex = afterComment(text, match.index);
      continue;
    }
    if (start < 0 && /\s/.test(piece)) continue;
    if (start < 0) start = match.index;
    if (/^\$.*\$$/s.test(piece)) token.lastIndex = afterDollarQuote(text, match.index, piece);
    else if (/^[a-z_]/i.test(piece) && !piece.includes("'")) {
      const word = piece.toLowerCase();
      depth = nextDepth(depth, word, words);
      if (words.length < maxWords) words.push(word);
    }
  }
  close(text.length);
  return statements;
}

/** Bodies of SQL functions contain semicolons between `begin atomic` and its `end`. */
function nextDepth(depth: number, word: string, words: readonly string[]): number {
  const isRoutine = words[0] === 'create' && words.slice(1, 4).some((w) => w === 'function' || w === 'procedure');
  if (!isRoutine) return 0;
  if (word === 'begin' || (word === 'case' && depth > 0)) return depth + 1;
  return word === 'end' && depth > 0 ? depth - 1 : depth;
}

function afterComment(text: string, from: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  let depth = 0;
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

function afterDollarQuote(text: string, from: number, tag: string): number {
  const end = text.indexOf(tag, from + tag.length);
  return end < 0 ? text.length : end + tag.length;
}
