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
