import { text } from '@kontor/protocol';
import { BadValue } from '../fields/kind.ts';
import { isRecordId } from '../fields/record-id.ts';
import type { Field } from '../model/model.ts';

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

/** An answer as a value of its field's type: texts stand for themselves, as in cells of an import; '' is nothing. */
export function readAnswer(field: Field, given: unknown): unknown {
  const { type } = field.spec;
  if (type === 'many2many') return idsOf(given);
  if (typeof given !== 'string') return given;
  if (given === '') return null;
  switch (type) {
    case 'integer':
    case 'float':
      return Number(digits(given));
    case 'decimal':
    case 'monetary':
      return digits(given);
    case 'many2one':
      return idOf(given);
    case 'boolean':
      return isYes(given);
    case 'json':
      return parsed(given);
    default:
      return given;
  }
}

function digits(given: string): string {
  if (number.test(given.trim())) return given.trim();
  throw new BadValue('Give a number, such as 12.50.');
}

function isYes(given: string): boolean {
  const said = given.trim().toLowerCase();
  if (said === 'true' || said === '1') return true;
  if (said === 'false' || said === '0') return false;
  throw new BadValue(text('"{given}" is neither true nor false.', { given: given.slice(0, 60) }));
}

function idOf(given: string): number {
  const id = /^\s*\d+\s*$/.test(given) ? Number(given) : 0;
  if (!isRecordId(id)) throw new BadValue('Give the id of a record, or null.');
  return id;
}

function idsOf(given: unknown): readonly number[] {
  if (given === undefined || given === null || given === '') return [];
  if (typeof given === 'string') return [...new Set(given.split(',').map(idOf))];
  if (Array.isArray(given) && given.every(isRecordId)) return [...new Set(given)];
  throw new BadValue('Give an array of ids.');
}

function parsed(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new BadValue('Give a JSON value.');
  }
}
