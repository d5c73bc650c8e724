import { mayReadEverywhere } from '../access/field-access.ts';
import { mayAccessModel } from '../access/model-access.ts';
import { castResult, computeOf } from '../graph/compute-of.ts';
import type { Field, Model } from '../model/model.ts';
import type { X2manyCommand } from '../model/records.ts';
import { sameValue } from '../model/same-value.ts';
import { pathTree } from '../reading/guard-record.ts';
import {
  type Draft,
  type DraftNode,
  dependsOnReader,
  type Edit,
  isComputedHere,
  isMany,
  valueAt,
  wireValue,
} from './draft.ts';
import { fill, loadInto } from './fill.ts';
import { readableIds } from './readable-nodes.ts';

interface FormChanges {
  /** Fields that changed: in the form, or by a handler. */
  readonly changes: ReadonlySet<string>;
  /** Fields that handlers or defaults set. */
  readonly set: ReadonlySet<string>;
  /** Computes, as `model.field`, that the changes may affect. */
  readonly reached: ReadonlySet<string>;
  /** A new form: the caller has no computed value yet. */
  readonly isOpening: boolean;
}

/** The values of the draft that the caller does not have yet, as far as they may read them. */
export async function changedValues(
  draft: Draft,
  root: DraftNode,
  form: FormChanges,
): Promise<Record<string, unknown>> {
  const readable = [...root.model.fields.values()].filter(
    (field) => isShown(field) && mayReadEverywhere(draft.caller, field),
  );
  await fill(draft, [root], pathTree(readable.filter((field) => field.isEditable).map((field) => field.name)));
  const single = readable.filter((field) => !isList(field) && isChangedValue(draft, root, field, form));
  await fill(draft, [root], pathTree(single.map((field) => field.name)), 'caller');
  const value: Record<string, unknown> = {};
  for (const field of single) value[field.name] = await shownValue(draft, root, field);
  for (const field of readable.filter(isList)) {
    const commands =
      field.isEditable && isChangedValue(draft, root, field, form)
        ? linkCommands((await shownValue(draft, root, field)) as readonly number[], form)
        : ((await changedLines(draft, root, field, form)) ?? (form.set.has(field.name) ? given(root, field) : null));
    if (commands) value[field.name] = commands;
  }
  return value;
}

/** The value as returned by read: for a list that is not computed on read, the records that the caller may read. */
async function shownValue(draft: Draft, root: DraftNode, field: Field): Promise<unknown> {
  const value = wireValue(valueAt(draft, root, field, 'caller'));
  if (!isMany(field) || computeOf(root.model, field) !== null || draft.caller.isSudo) return value;
  const related = draft.env.registry.model(field.spec.relation as string);
  const readable = await readableIds(draft.caller.outside(false), related, value as readonly number[]);
  return (value as readonly number[]).filter((id) => readable.has(id));
}

/** A form that is only opened gets no empty lists. */
function linkCommands(ids: readonly number[], { isOpening }: FormChanges): readonly unknown[] | null {
  return isOpening && ids.length === 0 ? null : [['set', ids]];
}

function isChangedValue(
  draft: Draft,
  root: DraftNode,
  field: Field,
  { set, reached, isOpening }: FormChanges,
): boolean {
  if (set.has(field.name)) return true;
  const isComputed = field.isEditable ? isComputedHere(draft, root, field) : computeOf(root.model, field) !== null;
  return isComputed && (isOpening || reached.has(`${field.model}.${field.name}`));
}

/** Names of records are shown where they are chosen, not in the form of the record itself. */
function isShown(field: Field): boolean {
  return field.name !== 'display_name';
}

function isList(field: Field): boolean {
  return isMany(field) && field.compute === null && field.related === null;
}

function given(root: DraftNode, field: Field): readonly unknown[] | null {
  return root.edits.get(field.name)?.map((edit) => edit.command) ?? null;
}

/** Lines are compared if their list changed, or if a change affects one of their computed fields. */
async function changedLines(
  draft: Draft,
  root: DraftNode,
  field: Field,
  { changes, reached }: FormChanges,
): Promise<readonly unknown[] | null> {
  const lines = draft.env.registry.model(field.spec.relation as string);
  const isReached = [...lines.fields.values()].some((each) => {
    return isShown(each) && computeOf(lines, each) !== null && reached.has(`${lines.name}.${each.name}`);
  });
  const isEdited = changes.has(field.name) || (isReached && root.edits.has(field.name));
  const followsAlong = isReached && root.id !== 0 && field.spec.inverse !== undefined;
  if ((!isEdited && !followsAlong) || !mayAccessModel(draft.caller, lines, 'read')) return null;
  await fill(draft, [root], pathTree([field.name]));
  return lineCommands(draft, root, field);
}

/**
 * The commands of a list with the computed fields of its lines: the given ones, and an update for each stored line that
 * changes with them. Null if the caller already has all of it.
 */
async function lineCommands(draft: Draft, owner: DraftNode, field: Field): Promise<X2manyCommand[] | null> {
  const model = draft.env.registry.model(field.spec.relation as string);
  const computes = computedFields(draft, model);
  const edits = owner.edits.get(field.name) ?? [];
  const lines = [...(valueAt(draft, owner, field) as readonly DraftNode[])];
  const editables = computes.filter((each) => each.isEditable).map((each) => each.name);
  await fill(draft, lines, pathTree(editables));
  await fill(
    draft,
    lines,
    pathTree(
      computes.filter((each) => lines.some((line) => isComputedHere(draft, line, each))).map((each) => each.name),
    ),
  );
  const stored = lines.filter((line) => line.id !== 0 && computes.some((each) => isComputedHere(draft, line, each)));
  await loadInto(
    draft,
    model,
    stored,
    computes.filter((each) => stored.some((line) => isComputedHere(draft, line, each))),
    'caller',
  );
  const saved = lines.filter((line) => line.id !== 0);
  const readable = new Set(await readableNodes(draft, model, saved));

  let hasChanges = false;
  const differences = (line: DraftNode, edit?: Edit): Record<string, unknown> => {
    if (line.id !== 0 && !readable.has(line)) return {};
    const differing = changedLineValues(draft, line, computes, edit);
    if (Object.keys(differing).length > 0) hasChanges = true;
    return differing;
  };
  const commands = edits.map((edit) => (edit.line ? withValues(edit, differences(edit.line, edit)) : edit.command));
  const others = saved.filter((line) => !edits.some((edit) => edit.line === line));
  for (const line of others) {
    const differing = differences(line);
    if (Object.keys(differing).length > 0) commands.push(['update', line.id, differing]);
  }
  return hasChanges ? commands : null;
}

/** Lines hidden from the caller by a rule are left out. */
async function readableNodes(
  { caller }: Draft,
  model: Model,
  nodes: readonly DraftNode[],
): Promise<readonly DraftNode[]> {
  if (nodes.length === 0 || caller.isSudo) return nodes;
  const readable = await readableIds(
    caller,
    model,
    nodes.map((node) => node.id),
  );
  return nodes.filter((node) => readable.has(node.id));
}

function computedFields({ caller }: Draft, model: Model): readonly Field[] {
  return [...model.fields.values()].filter((field) => {
    if (field.name === 'display_name' || !mayReadEverywhere(caller, field)) return false;
    return field.isEditable || (!isMany(field) && computeOf(model, field) !== null);
  });
}

function withValues({ command }: Edit, differing: Readonly<Record<string, unknown>>): X2manyCommand {
  if (command[0] === 'create') return ['create', { ...command[1], ...differing }];
  if (command[0] !== 'update') return command;
  const [, id, values, base] = command;
  return base ? ['update', id, { ...values, ...differing }, base] : ['update', id, { ...values, ...differing }];
}

/** Computed values that differ from what the caller sent, or from what is stored if they sent nothing. */
function changedLineValues(
  draft: Draft,
  line: DraftNode,
  computes: readonly Field[],
  edit?: Edit,
): Record<string, unknown> {
  const sent = valuesOf(edit);
  const differing: Record<string, unknown> = {};
  for (const field of computes) {
    if (!isComputedHere(draft, line, field)) continue;
    const value = wireValue(valueAt(draft, line, field));
    if (isMany(field)) {
      differing[field.name] = [['set', value]];
      continue;
    }
    const isSent = Object.hasOwn(sent, field.name);
    if (!isSent && line.id === 0) differing[field.name] = value;
    else {
      const known = isSent ? castResult(field, sent[field.name]) : wireValue(storedValue(draft, line, field));
      if (!sameValue(field, known, value)) differing[field.name] = value;
    }
  }
  return differing;
}

function storedValue(draft: Draft, line: DraftNode, field: Field): unknown {
  return (dependsOnReader(draft, line.model, field, 'caller') ? line.seen : line.loaded).get(field.name);
}

function valuesOf(edit?: Edit): Readonly<Record<string, unknown>> {
  if (edit?.command[0] === 'create') return edit.command[1];
  return edit?.command[0] === 'update' ? edit.command[2] : {};
}
