import { setImmediate } from 'node:timers/promises';
import { Decimal } from './decimal.ts';

/** JSON text of any value that leaves the server. Decimals become numbers, digit by digit; keys without a value are dropped. */
export function toJson(value: unknown): string {
  return write(value) ?? 'null';
}

const rowsATurn = 500;

/** Maps many rows a few at a time, so that other requests have their turn in between. */
export async function mapInTurns<From, To>(rows: readonly From[], map: (row: From) => To): Promise<To[]> {
  const mapped: To[] = [];
  for (let index = 0; index < rows.length; index++) {
    if (index > 0 && index % rowsATurn === 0) await setImmediate();
    mapped.push(map(rows[index] as From));
  }
  return mapped;
}

function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? 'null' : writeObject(value);
    default:
      return undefined;
  }
}

function writeObject(value: object): string | undefined {
  if (Array.isArray(value)) return writeArray(value);
  if (value instanceof Decimal) return value.toFixed();
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON());
  let text = '';
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const member = write((value as Record<string, unknown>)[key]);
    if (member === undefined) continue;
    text += text === '' ? `${quote(key)}:${member}` : `,${quote(key)}:${member}`;
  }
  return `{${text}}`;
}

function writeArray(values: readonly unknown[]): string {
  let text = '';
  for (let i = 0; i < values.length; i++) {
    const element = write(values[i]) ?? 'null';
    text += i === 0 ? element : `,${element}`;
  }
  return `[${text}]`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON must escape
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A JSON string; most texts need no escape, and testing is cheaper than escaping. */
function quote(text: string): string {
  return text.length < 64 && !needsEscape.test(text) ? `"${text}"` : JSON.stringify(text);
}
