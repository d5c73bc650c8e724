import { KontorError } from '@kontor/protocol';

const maxDepth = 100;

/**
 * JSON.parse, and a refusal of what it lets pass: repeated keys (two readers could see two different calls),
 * numbers past the range of a double, and nesting that only an attacker writes.
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KontorError('INVALID_JSON');
  }
  inspect(text);
  return value;
}

/** Walks text that is known to be valid JSON, so it only has to find strings, numbers and brackets. */
function inspect(text: string): void {
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; ) {
    const char = text.charCodeAt(at);
    if (char === 34) {
      const end = stringEnd(text, at);
      const keys = open.at(-1);
      if (expectsKey && keys) addKey(keys, text.slice(at, end));
      expectsKey = false;
      at = end;
      continue;
    }
    if (char === 123 || char === 91) {
      open.push(char === 123 ? new Set() : null);
      if (open.length > maxDepth)
        throw new KontorError('INVALID_JSON', `The body is nested more than ${maxDepth} deep.`);
      expectsKey = char === 123;
    } else if (char === 125 || char === 93) {
      open.pop();
      expectsKey = false;
    } else if (char === 44) expectsKey = open.at(-1) !== null && open.length > 0;
    else if (char === 45 || (char >= 48 && char <= 57)) {
      at = checkNumber(text, at);
      continue;
    }
    at++;
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const char = text.charCodeAt(at);
    if (char === 92) at += 2;
    else if (char === 34) return at + 1;
    else at++;
  }
}

function addKey(keys: Set<string>, raw: string): void {
  const key = JSON.parse(raw) as string;
  if (keys.has(key)) throw new KontorError('INVALID_JSON', `The key ${JSON.stringify(key)} is given twice.`);
  keys.add(key);
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function checkNumber(text: string, start: number): number {
  number.lastIndex = start;
  const [match = ''] = number.exec(text) ?? [];
  if (!Number.isFinite(Number(match))) {
    throw new KontorError('INVALID_JSON', `The number ${match.slice(0, 40)} is out of range.`);
  }
  return start + match.length;
}
