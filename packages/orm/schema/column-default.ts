import { compile, literal } from '@kontor/database';
import type { Field } from '../model/model.ts';

/** SQL text of the default when the author gave a plain value; undefined when it is worked out per record. */
export function columnDefault(field: Field): string | undefined {
  if (field.name === 'create_date' || field.name === 'write_date') return 'now()';
  const given = field.spec.default;
  if (field.kind.isBoolean) return String(given === true);
  if (given === undefined || given === null || typeof given === 'function' || isSource(given)) return undefined;
  const parameter = field.kind.toParameter(field.kind.cast(given, field));
  return constant(parameter);
}

function isSource(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'source' in value;
}

function constant(parameter: unknown): string | undefined {
  if (typeof parameter === 'number') return Number.isFinite(parameter) ? String(parameter) : undefined;
  if (typeof parameter === 'boolean') return String(parameter);
  return typeof parameter === 'string' ? quoted(parameter) : undefined;
}

function quoted(text: string): string {
  return compile(literal(text)).text.trim();
}
