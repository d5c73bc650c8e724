import { compile, literal } from '@kontor/database';
import type { Field } from '../model/model.ts';

/** SQL text of the default when the author gave a plain value; undefined when it is worked out per record. */
export function columnDefault(field: Field): string | undefined {
  if (field.name === 'create_date' || field.name === 'write_date') return 'now()';
  const given = field.spec.default;
  if (field.spec.type === 'boolean') return given === true ? 'true' : 'false';
  if (given === undefined || given === null || typeof given === 'function' || isSource(given)) return undefined;
  const parameter = field.kind.toParameter(field.kind.cast(given, field));
  return constant(parameter);
}

/** What rows that exist get when a required column is added; undefined where any value would be an invention. */
export function columnBackfill(field: Field): string | undefined {
  if (field.spec.unique) return undefined;
  switch (field.spec.type) {
    case 'char':
    case 'text':
    case 'html':
      return "''";
    case 'integer':
    case 'float':
    case 'decimal':
    case 'monetary':
      return '0';
    case 'date':
      return 'CURRENT_DATE';
    case 'datetime':
      return 'now()';
    case 'json':
      return "'{}'";
    case 'selection': {
      const first = field.selection?.keys().next().value;
      return first === undefined ? undefined : quoted(first);
    }
    default:
      return undefined;
  }
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
