import { type ArchField, commandNames, fieldType, type X2manyCommand } from '@kontor/protocol';
import type { RecordValues, Values } from '../rpc.ts';
import {
  addLine,
  changeLine,
  chooseRecords,
  isLinesEdit,
  isRecords,
  isToMany,
  type Line,
  type LinesEdit,
  linkLine,
  noLinesEdit,
  plainValues,
  removeLine,
  seenValue,
  shownLines,
  storedLines,
} from './lines.ts';

interface CommandOptions {
  /** Removing a line of a one2many deletes the line, of a many2many only the link. */
  readonly isOwned: boolean;
  /** Fields of the lines; read-only ones are not sent. */
  readonly fields?: readonly ArchField[] | undefined;
}

export function toCommands(edit: LinesEdit, stored: unknown, options: CommandOptions): readonly X2manyCommand[] {
  const before = new Map([...storedLines(stored), ...edit.linked].map((line) => [line.id, line]));
  const commands: X2manyCommand[] = [];
  for (const id of edit.removed) commands.push([options.isOwned ? 'delete' : 'unlink', id]);
  for (const { id } of edit.linked) commands.push(['link', id]);
  for (const [key, values] of Object.entries(edit.changed)) {
    const id = Number(key);
    const written = lineValues(values, options, before.get(id));
    if (edit.removed.includes(id) || Object.keys(written).length === 0) continue;
    const base = Object.fromEntries(Object.keys(written).map((name) => [name, seenIn(before.get(id), name, options)]));
    commands.push(['update', id, written, base]);
  }
  for (const line of edit.created) commands.push(['create', lineValues(line.values, options)]);
  return commands;
}

function seenIn(line: RecordValues | undefined, name: string, { fields }: CommandOptions): unknown {
  const field = fields?.find((one) => one.name === name);
  return field && !isToMany(field) ? (line?.[name] ?? null) : seenValue(line?.[name]);
}

/** The values of a line to send: only writable fields, lists as commands. */
function lineValues(values: Values, { fields }: CommandOptions, before?: RecordValues): Values {
  const byName = new Map(fields?.map((field) => [field.name, field]));
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plainValues(values))) {
    const field = byName.get(name);
    if (fields && (!field || field.readonly)) continue;
    if (isLinesEdit(value)) {
      result[name] = toCommands(value, before?.[name], { isOwned: fieldType(field?.type).isLines });
    } else if (isRecords(value)) {
      result[name] = ownLines(value, before?.[name], fieldType(field?.type).isLines);
    } else result[name] = value;
  }
  return result;
}

/** Lines within a line, as they were left in its panel. */
function ownLines(lines: readonly RecordValues[], before: unknown, isOwned: boolean): readonly X2manyCommand[] {
  const known = lines.filter((line) => line.id > 0);
  const made = lines.filter((line) => line.id < 0).map((line) => ['create', plainValues(line)] as const);
  return [...toCommands(chooseRecords(before, known), before, { isOwned }), ...made];
}

const verbs: ReadonlySet<unknown> = new Set(commandNames);

export function isCommands(value: unknown): value is readonly X2manyCommand[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => Array.isArray(item) && verbs.has(item[0]));
}

/**
 * Applies commands of the server (defaults, onchange) to an edit. An answer repeats the commands it received, in order,
 * with computed values, so the nth `create` is the nth new line.
 */
export function withCommands(edit: unknown, stored: unknown, commands: readonly X2manyCommand[]): LinesEdit {
  let lines = isLinesEdit(edit) ? edit : noLinesEdit;
  const keys = lines.created.map((line) => line.key);
  let at = 0;
  for (const command of commands) {
    if (command[0] === 'create') {
      const key = keys[at++];
      if (key === undefined) lines = addLine(lines, asShown(command[1], {}));
      else lines = changeLine(lines, key, asShown(command[1], lineAt(stored, lines, key)));
    } else lines = withCommand(lines, stored, command);
  }
  return lines;
}

function withCommand(lines: LinesEdit, stored: unknown, command: Exclude<X2manyCommand, readonly ['create', Values]>) {
  const isKnown = (id: number) => [...storedLines(stored), ...lines.linked].some((line) => line.id === id);
  switch (command[0]) {
    case 'update':
      return changeLine(lines, command[1], asShown(command[2], lineAt(stored, lines, command[1])));
    case 'link':
      return isKnown(command[1]) ? lines : linkLine(lines, { id: command[1] });
    case 'unlink':
    case 'delete':
      return removeLine(lines, command[1]);
    case 'set': {
      const known = new Map(lines.linked.map((line) => [line.id, line]));
      const chosen = command[1].map((id) => known.get(id) ?? { id });
      return { ...lines, ...pick(chooseRecords(stored, chosen)) };
    }
    case 'clear':
      return { ...lines, created: [], ...pick(chooseRecords(stored, [])) };
  }
}

function lineAt(stored: unknown, edit: LinesEdit, key: number): Values {
  return shownLines(stored, edit).find((line) => line.key === key)?.values ?? {};
}

/** The server's values of a line as shown: lists become records, and a changed relation loses its old name. */
function asShown(values: Values, line: Values): Values {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    shown[name] = isCommands(value) ? (recordsAfter(line[name], value) ?? value) : value;
    if (`${name}.display_name` in line && value !== line[name]) shown[`${name}.display_name`] = undefined;
  }
  return shown;
}

/** The records of a list after applying commands; null if the commands would create or change records. */
export function recordsAfter(before: unknown, commands: readonly X2manyCommand[]): readonly RecordValues[] | null {
  const edit = withCommands(null, before, commands);
  if (edit.created.length > 0 || Object.keys(edit.changed).length > 0) return null;
  return shownLines(before, edit).map((line) => line.values);
}

function pick({ removed, linked }: LinesEdit): Pick<LinesEdit, 'removed' | 'linked'> {
  return { removed, linked };
}

/**
 * What is left to save after `sent` was saved while the user kept typing. The server creates new lines in order, so the
 * new ids of the saved list match them one by one.
 */
export function remainingLines(now: LinesEdit, sent: LinesEdit, before: unknown, after: unknown): LinesEdit {
  const known = new Set([...storedLines(before), ...sent.linked].map((line) => line.id));
  const fresh = storedLines(after)
    .map((line) => line.id)
    .filter((id) => !known.has(id))
    .sort((a, b) => a - b);
  const idOf = new Map(sent.created.map((line, index) => [line.key, fresh[index] ?? 0]));
  const sentLine = new Map(sent.created.map((line) => [line.key, line]));
  const stillThere = new Set(now.created.map((line) => line.key));
  let rest: LinesEdit = { ...noLinesEdit, created: now.created.filter((line) => !sentLine.has(line.key)) };
  for (const line of now.created) {
    const change = difference(line, sentLine.get(line.key));
    if (change) rest = changeLine(rest, idOf.get(line.key) ?? 0, change);
  }
  for (const [key, change] of Object.entries(now.changed)) {
    if (sent.changed[Number(key)] !== change) rest = changeLine(rest, Number(key), change);
  }
  const gone = sent.created.filter((line) => !stillThere.has(line.key)).map((line) => idOf.get(line.key) ?? 0);
  const removed = [...now.removed.filter((id) => !sent.removed.includes(id)), ...gone].filter((id) => id > 0);
  const linked = now.linked.filter((line) => !sent.linked.some(({ id }) => id === line.id));
  return { ...rest, removed, linked };
}

function difference(now: Line, sent: Line | undefined): Values | null {
  if (!sent || now.values === sent.values) return null;
  const changed = Object.entries(now.values).filter(([name, value]) => name !== 'id' && sent.values[name] !== value);
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}
