import { ValidationError } from '@kontor/protocol';
import { applyDefaults } from '../defaults/apply-defaults.ts';
import { knownField } from '../domain/known-field.ts';
import { BadValue } from '../fields/kind.ts';
import { castResult, computeOf } from '../graph/compute-of.ts';
import type { Field, Model } from '../model/model.ts';
import type { Values, X2manyCommand } from '../model/records.ts';
import { sameValue } from '../model/same-value.ts';
import { type Draft, type DraftNode, type Edit, isMany, newNode, nodeOf, valueBefore, wireValue } from './draft.ts';
import { sourcesOf } from './editables.ts';
import { asNodes, loadInto } from './fill.ts';

/**
 * Puts given values into a node. x2manys take commands, which are applied to the existing lines. Values that only the
 * server computes are computed, whatever a form contains.
 */
export async function applyValues(draft: Draft, node: DraftNode, values: Values): Promise<void> {
  const isTaken = (name: string) => {
    const field = knownField(node.model, name);
    return field.isEditable || computeOf(node.model, field) === null;
  };
  const entries = Object.entries(values).filter(
    ([name, value]) => name !== 'id' && value !== undefined && isTaken(name),
  );
  const fields = entries.map(([name]) => knownField(node.model, name));
  await readLists(draft, [node], fields);
  for (const [i, field] of fields.entries()) {
    const value = castGiven(field, entries[i]?.[1]);
    if (isMany(field)) await applyCommands(draft, node, field, value as readonly X2manyCommand[]);
    else node.given.set(field.name, asNodes(draft, node, field, value));
  }
}

/** The value of a field in a form: as typed by a user, or as returned by a handler. */
export function castGiven(field: Field, value: unknown): unknown {
  if (!isMany(field)) return typeof value === 'object' ? castResult(field, value) : castTyped(field, value);
  const isIds = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number');
  return castTyped(field, isIds ? [['set', value]] : value);
}

/** Parses a typed value; ValidationError at its field if it is invalid. */
export function castTyped(field: Field, value: unknown): unknown {
  try {
    const cast = field.kind.cast(value, field);
    field.kind.checkGiven?.(cast, field);
    return cast;
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ValidationError({ [field.name]: [error.words] });
  }
}

/** Fields that a call sets: null counts, omitted fields do not. */
export function givenNames(values: Values): Set<string> {
  return new Set(Object.keys(values).filter((name) => values[name] !== undefined));
}

async function applyCommands(
  draft: Draft,
  owner: DraftNode,
  field: Field,
  commands: readonly X2manyCommand[],
): Promise<void> {
  const model = draft.env.registry.model(field.spec.relation as string);
  let lines = new Set(valueBefore(owner, field) as readonly DraftNode[]);
  const edits: Edit[] = [];
  await readUpdated(draft, model, commands);
  for (const command of commands) {
    const line = await lineOf(draft, owner, field, model, command);
    edits.push({ command, line: command[0] === 'create' || command[0] === 'update' ? line : null });
    lines = linesAfter(draft, model, lines, command, line);
  }
  if (field.spec.inverse) for (const line of lines) line.isDraft = true;
  owner.given.set(field.name, [...lines]);
  owner.edits.set(field.name, edits);
  await noteChanged(
    draft,
    model,
    [...lines].filter((line) => line.id !== 0 && line.given.size > 0),
  );
}

/** Given values that differ from the stored ones, as far as editable computes depend on them. */
async function noteChanged(draft: Draft, model: Model, lines: readonly DraftNode[]): Promise<void> {
  const sources = new Set(draft.env.registry.editableComputes(model.name).flatMap((field) => [...sourcesOf(field)]));
  const fields = [...sources].flatMap((name) => {
    const field = model.fields.get(name);
    return field && lines.some((line) => line.given.has(name)) ? [field] : [];
  });
  const compared = fields.filter((field) => !isMany(field));
  const unread = lines.filter((line) => compared.some(({ name }) => line.given.has(name) && !line.loaded.has(name)));
  await loadInto(draft, model, unread, compared);
  for (const line of lines) {
    for (const field of fields) {
      if (!line.given.has(field.name)) continue;
      const [old, now] = [line.loaded, line.given].map((values) => wireValue(values.get(field.name)));
      if (isMany(field) || !sameValue(field, old, now)) line.changed?.add(field.name);
    }
  }
}

/** Lists of lines that exist, for all of them at once, before commands are applied to any of them. */
async function readUpdated(draft: Draft, model: Model, commands: readonly X2manyCommand[]): Promise<void> {
  const updates = commands.filter((command) => command[0] === 'update');
  const nodes = updates.flatMap(([, id]) => nodeOf(draft, model, id) ?? []);
  const names = new Set(updates.flatMap(([, , values]) => Object.keys(values)));
  await readLists(
    draft,
    nodes,
    [...names].map((name) => knownField(model, name)),
  );
}

/** The stored lists among the fields, to which commands are applied. */
async function readLists(draft: Draft, nodes: readonly DraftNode[], fields: readonly Field[]): Promise<void> {
  const isUnread = (node: DraftNode, { name }: Field) =>
    node.id !== 0 && !node.given.has(name) && !node.loaded.has(name);
  const lists = fields.filter((field) => isMany(field) && nodes.some((node) => isUnread(node, field)));
  const unread = nodes.filter((node) => lists.some((field) => isUnread(node, field)));
  if (unread.length > 0) await loadInto(draft, (unread[0] as DraftNode).model, unread, lists);
}

async function lineOf(
  draft: Draft,
  owner: DraftNode,
  field: Field,
  model: Model,
  command: X2manyCommand,
): Promise<DraftNode | null> {
  // The other side of a many2many is also a list, in which its owner is one of many.
  const inverse = field.through ? undefined : field.spec.inverse;
  if (command[0] === 'create') {
    const line = newNode(model, 0, true);
    if (inverse) line.given.set(inverse, owner);
    const { [inverse ?? '']: _, ...values } = command[1];
    line.pinned = givenNames(values);
    const [filled] = await applyDefaults(draft.caller, model, [inverse ? { ...values, [inverse]: null } : values]);
    await applyValues(draft, line, filled as Values);
    if (inverse) line.given.set(inverse, owner);
    return line;
  }
  if (command[0] === 'set' || command[0] === 'clear') return null;
  const line = nodeOf(draft, model, command[1]);
  if (line && command[0] === 'update') {
    line.isDraft = true;
    line.pinned = givenNames(command[2]);
    await applyValues(draft, line, command[2]);
  }
  if (line && command[0] === 'link' && inverse) line.given.set(inverse, owner);
  return line;
}

/** The same set, changed, or another one: a copy for each of many commands would cost their square. */
function linesAfter(
  draft: Draft,
  model: Model,
  lines: Set<DraftNode>,
  command: X2manyCommand,
  line: DraftNode | null,
): Set<DraftNode> {
  switch (command[0]) {
    case 'clear':
      return new Set();
    case 'set':
      return new Set(command[1].flatMap((id) => nodeOf(draft, model, id) ?? []));
    case 'unlink':
    case 'delete':
      if (line) lines.delete(line);
      return lines;
    default:
      return line ? lines.add(line) : lines;
  }
}
