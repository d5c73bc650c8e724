import type { Bound } from '../pool/bind-values.ts';

/** An array as PostgreSQL reads it from text: `{1,"two",NULL}`. */
export function arrayLiteral(values: readonly Bound[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++)
    text += i === 0 ? element(values[i] as Bound) : `,${element(values[i] as Bound)}`;
  return `${text}}`;
}

function element(value: Bound): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quote(value);
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
  return typeof value === 'object' ? arrayLiteral(value) : String(value);
}

function quote(text: string): string {
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
