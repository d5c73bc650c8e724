import { sql } from '@kontor/database';
import { commandNames, didYouMean, type FieldType, text, type X2manyCommand } from '@kontor/protocol';
import { BadValue, defineKind, type FieldKind, isAbsent } from './kind.ts';

/** Whether a value can be the id of a record. */
export function isRecordId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 2 ** 31 - 1;
}

/** The id of one record of another model. */
export const many2oneKind = defineKind('many2one', {
  column: () => 'integer',
  cast(value) {
    if (isAbsent(value) || value === false) return null;
    if (!isRecordId(value)) throw new BadValue('Must be the id of a record, or null.');
    return value;
  },
  fromResult: (result) => (typeof result === 'object' ? (result as { id: unknown }).id : result),
  fromText: idFromText,
  cellToJson: String,
  wire: 'digits',
  jsonSql: (value) => sql`to_jsonb(${value})`,
  nameSql: (value) => sql`(${value})::text`,
});

function idFromText(cell: string): number {
  const id = /^\s*\d+\s*$/.test(cell) ? Number(cell) : 0;
  if (!isRecordId(id)) throw new BadValue('Must be the id of a record, or null.');
  return id;
}

/** Records that refer back. */
export const one2manyKind = listKind('one2many');

/** Records that are linked through a join table. */
export const many2manyKind = listKind('many2many');

/** Many records: ids when read, commands when written. It has no column of its own. */
function listKind(type: Extract<FieldType, 'one2many' | 'many2many'>): FieldKind {
  return defineKind(type, {
    column: () => null,
    cast(value): readonly X2manyCommand[] {
      if (isAbsent(value)) return [['clear']];
      if (!Array.isArray(value)) throw new BadValue('Must be an array of commands such as ["link", 7].');
      return value.map(castCommand);
    },
    fromText: (cell) => [...new Set(cell.split(',').map(idFromText))],
    fromCell: (cell) => cell ?? [],
    isEmpty: (value) => isAbsent(value) || (Array.isArray(value) && value.length === 0),
  });
}

function castCommand(command: unknown): X2manyCommand {
  if (!Array.isArray(command)) throw new BadValue('Each command is an array such as ["link", 7].');
  const [name, first, second, third] = command;
  switch (name) {
    case 'create':
      return [name, object(name, first, command, 2)];
    case 'update':
      if (command.length < 4) return [name, id(name, first), object(name, second, command, 3)];
      return [name, id(name, first), object(name, second, command, 4), object(name, third, command, 4)];
    case 'link':
    case 'unlink':
    case 'delete':
      return [name, id(name, first, command)];
    case 'set':
      if (!Array.isArray(first) || !first.every(isRecordId) || command.length > 2) {
        throw new BadValue('"set" takes an array of ids: ["set", [1, 2]].');
      }
      return [name, [...new Set(first)]];
    case 'clear':
      if (command.length > 1) throw new BadValue('"clear" takes nothing: ["clear"].');
      return [name];
    default:
      throw new BadValue(text('A command is one of {names}.', { names: commandNames.join(', ') }));
  }
}

function id(name: string, value: unknown, command?: readonly unknown[]): number {
  if (!isRecordId(value) || (command !== undefined && command.length > 2)) {
    throw new BadValue(`"${name}" takes the id of a record.`);
  }
  return value;
}

function object(name: string, value: unknown, command: readonly unknown[], length: number): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || command.length > length) {
    throw new BadValue(`"${name}" takes an object of values.`);
  }
  return value as Record<string, unknown>;
}

/** A record of one of several models, `model,id`. */
export const referenceKind = defineKind('reference', {
  column: () => 'text',
  cast(value, field) {
    if (isAbsent(value)) return null;
    const { model, id } = parse(value);
    const models = field.spec.models;
    if (models !== undefined && !models.includes(model)) {
      throw new BadValue(`A record of ${model} cannot stand here.${didYouMean(model, models)}`);
    }
    return `${model},${id}`;
  },
  wire: 'text',
});

function parse(value: unknown): { model: string; id: number } {
  if (typeof value === 'string') {
    const match = /^(x_[a-z0-9_]+|[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+),([1-9]\d{0,9})$/.exec(value);
    if (match !== null && isRecordId(Number(match[2]))) return { model: match[1] as string, id: Number(match[2]) };
  } else if (typeof value === 'object' && value !== null && 'model' in value && 'id' in value) {
    if (typeof value.model === 'string') return parse(`${value.model},${String(value.id)}`);
  }
  throw new BadValue('Must be a record in the format "model,id", such as "sale.order,7".');
}
