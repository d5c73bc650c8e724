import { invalidArgs, KontorError, type RpcRequest } from '@kontor/protocol';

const keys: ReadonlySet<string> = new Set(['model', 'method', 'args', 'kwargs']);

/** One call as it came over the wire, of either form. */
export function toRpcRequest(body: unknown): RpcRequest {
  const flat = unwrap(body);
  for (const key of Object.keys(flat)) {
    if (!keys.has(key)) throw invalidArgs(`Unknown key ${JSON.stringify(key)} in the request.`, { field: key });
  }
  const { model, method, args, kwargs = {} } = flat;
  if (typeof model !== 'string' || model === '') throw invalidArgs('`model` must be a name.', { field: 'model' });
  if (typeof method !== 'string' || method === '') throw invalidArgs('`method` must be a name.', { field: 'method' });
  if (!Array.isArray(args)) throw invalidArgs('`args` must be an array.', { field: 'args', method });
  if (!isRecord(kwargs)) throw invalidArgs('`kwargs` must be an object.', { field: 'kwargs', method });
  return { model, method, args, kwargs };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The wrapper form is an object with one key, `params`. */
function unwrap(body: unknown): Record<string, unknown> {
  if (!isRecord(body)) throw invalidArgs('The request must be an object.');
  if (!Object.hasOwn(body, 'params')) return body;
  if (Object.keys(body).length !== 1 || !isRecord(body.params)) {
    throw invalidArgs('The wrapper form has one key, `params`, with the call in it.', { field: 'params' });
  }
  return body.params;
}

const maxDepth = 100;

/**
 * JSON.parse, plus checks for what it accepts: repeated keys (two readers could see two different calls), numbers outside the range
 * of a double or that lose precision, and excessive nesting.
 */
export function parseStrictJson(text: string): unknown {
  if (text.length > smallBody) checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KontorError('INVALID_JSON');
  }
  inspect(text);
  return value;
}

const smallBody = 10_000;

/** The parser spends a second on a million brackets. What is no JSON is left to it. */
function checkDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 34) {
      at = stringEnd(text, at) - 1;
      if (at >= text.length) return;
    } else if (char === 123 || char === 91) {
      if (++depth > maxDepth) throw tooDeep();
    } else if (char === 125 || char === 93) depth--;
  }
}

function tooDeep(): KontorError {
  return new KontorError('INVALID_JSON', `The body is nested more than ${maxDepth} deep.`);
}

/** Walks text that is known to be valid JSON, so it only has to find strings, numbers and brackets. */
function inspect(text: string): void {
  // Most objects of a large body have few keys: a set is made for the second one.
  const open: (KeysSeen | null)[] = [];
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
      open.push(char === 123 ? { first: null, all: null } : null);
      if (open.length > maxDepth) throw tooDeep();
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

/** Behind the end of the text if the string has none. A string may be millions of characters long. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length + 1 : end + 1;
}

/** An odd number of backslashes before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === 92) before--;
  return (at - before) % 2 === 1;
}

interface KeysSeen {
  first: string | null;
  all: Set<string> | null;
}

function addKey(seen: KeysSeen, raw: string): void {
  const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  if (seen.first === null) {
    seen.first = key;
    return;
  }
  seen.all ??= new Set([seen.first]);
  if (seen.all.has(key)) throw new KontorError('INVALID_JSON', `The key ${JSON.stringify(key)} is given twice.`);
  seen.all.add(key);
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function checkNumber(text: string, start: number): number {
  number.lastIndex = start;
  const [match = ''] = number.exec(text) ?? [];
  const value = Number(match);
  if (!Number.isFinite(value)) {
    throw new KontorError('INVALID_JSON', `The number ${match.slice(0, 40)} is out of range.`);
  }
  if (match.length > 15 && isAnother(match, value)) {
    throw new KontorError('INVALID_JSON', `Send the number ${match.slice(0, 40)} as text: it has too many digits.`);
  }
  return start + match.length;
}

/**
 * 999999999999999.99 becomes 1000000000000000, which the receiver cannot detect. Numbers that still have more than 15 digits are
 * checked by their field; a double written with all its digits has lost none.
 */
function isAnother(written: string, value: number): boolean {
  const digits = digitsOf(written);
  if (digits.length <= 15 || digitsOf(String(value)).length > 15) return false;
  return digits.length > 100 || digits !== digitsOf(value.toPrecision(digits.length));
}

/** Without leading and trailing zeros. */
function digitsOf(written: string): string {
  const [plain = ''] = written.split(/e/i, 1);
  const digits = plain.replace(/[-.]/g, '').replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
