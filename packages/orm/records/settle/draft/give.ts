import { ValidationError } from '@kontor/protocol';
import { knownField } from '../../../domain/known-field.ts';
import { BadValue } from '../../../fields/kind.ts';
import type { Field, Model } from '../../../model/model.ts';
import { pathTree } from '../../guard-record.ts';
import type { Values, X2manyCommand } from '../../records.ts';
import { draftDefaults } from '../apply-defaults.ts';
import { castResult } from '../cast-result.ts';
import { type Draft, type DraftNode, type Edit, isMany, newNode, nodeOf, valueAt } from './draft.ts';
import { asNodes, fill } from './fill.ts';

/** Lays values over a node. x2manys take commands, which are played on the lines that are there. */
export async function give(draft: Draft, node: DraftNode, values: Values): Promise<void> {
  const entries = Object.entries(values).filter(([name, value]) => name !== 'id' && value !== undefined);
  const fields = entries.map(([name]) => knownField(node.model, name));
  await fill(draft, [node], pathTree(fields.filter(isMany).map((field) => field.name)));
  for (const [i, field] of fields.entries()) {
    const value = castGiven(field, entries[i]?.[1]);
    if (isMany(field)) await playCommands(draft, node, field, value as readonly X2manyCommand[]);
    else node.given.set(field.name, asNodes(draft, node, field, value));
  }
}

/** The value of a field in a form: as a person typed it, or as a handler returned it. */
export function castGiven(field: Field, value: unknown): unknown {
  if (!isMany(field)) return typeof value === 'object' ? castResult(field, value) : cast(field, value);
  const isIds = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number');
  return cast(field, isIds ? [['set', value]] : value);
}

function cast(field: Field, value: unknown): unknown {
  try {
    return field.kind.cast(value, field);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ValidationError({ [field.name]: [error.words] });
  }
}

async function playCommands(
  draft: Draft,
  owner: DraftNode,
  field: Field,
  commands: readonly X2manyCommand[],
): Promise<void> {
  const model = draft.env.registry.model(field.spec.relation as string);
  let lines = [...(valueAt(draft, owner, field) as readonly DraftNode[])];
  const edits: Edit[] = [];
  await readLists(draft, model, commands);
  for (const command of commands) {
    const line = await lineOf(draft, owner, field, model, command);
    edits.push({ command, line: command[0] === 'create' || command[0] === 'update' ? line : null });
    lines = played(draft, model, lines, command, line);
  }
  if (field.spec.inverse) for (const line of lines) line.isDraft = true;
  owner.given.set(field.name, lines);
  owner.edits.set(field.name, edits);
}

/** Lists of lines that exist, for all of them at once, before commands are played on any of them. */
async function readLists(draft: Draft, model: Model, commands: readonly X2manyCommand[]): Promise<void> {
  const updates = commands.filter((command) => command[0] === 'update');
  const nodes = updates.flatMap(([, id]) => nodeOf(draft, model, id) ?? []);
  const names = new Set(updates.flatMap(([, , values]) => Object.keys(values)));
  const lists = [...names].filter((name) => isMany(knownField(model, name)));
  if (lists.length > 0) await fill(draft, nodes, pathTree(lists));
}

async function lineOf(
  draft: Draft,
  owner: DraftNode,
  field: Field,
  model: Model,
  command: X2manyCommand,
): Promise<DraftNode | null> {
  const { inverse } = field.spec;
  if (command[0] === 'create') {
    const line = newNode(model, 0, true);
    if (inverse) line.given.set(inverse, owner);
    const { [inverse ?? '']: _, ...values } = command[1];
    await give(draft, line, await draftDefaults(draft.env, model, inverse ? { ...values, [inverse]: null } : values));
    if (inverse) line.given.set(inverse, owner);
    return line;
  }
  if (command[0] === 'set' || command[0] === 'clear') return null;
  const line = nodeOf(draft, model, command[1]);
  if (line && command[0] === 'update') {
    line.isDraft = true;
    await give(draft, line, command[2]);
  }
  if (line && command[0] === 'link' && inverse) line.given.set(inverse, owner);
  return line;
}

function played(
  draft: Draft,
  model: Model,
  lines: readonly DraftNode[],
  command: X2manyCommand,
  line: DraftNode | null,
): DraftNode[] {
  switch (command[0]) {
    case 'clear':
      return [];
    case 'set':
      return command[1].flatMap((id) => nodeOf(draft, model, id) ?? []);
    case 'unlink':
    case 'delete':
      return lines.filter((each) => each !== line);
    default:
      return line && !lines.includes(line) ? [...lines, line] : [...lines];
  }
}
