import { commandNames, text, type X2manyCommand } from '@kontor/protocol';
import { BadValue, type FieldKind } from './kind.ts';
import { isRecordId } from './record-id.ts';
import { isAbsent } from './text-check.ts';

/** Many records: ids when read, commands when written. It has no column of its own. */
export const x2manyKind: FieldKind = {
  column: () => null,
  cast(value): readonly X2manyCommand[] {
    if (isAbsent(value)) return [['clear']];
    if (!Array.isArray(value)) throw new BadValue('Give an array of commands such as ["link", 7].');
    return value.map(castCommand);
  },
  toParameter: (value) => value,
  fromCell: (cell) => cell ?? [],
  cellToJson: (cell) => JSON.stringify(cell),
  isEmpty: (value) => isAbsent(value) || (Array.isArray(value) && value.length === 0),
};

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
