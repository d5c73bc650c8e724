import { mayReadField } from '../access/field-access.ts';
import { mayAccessModel } from '../access/model-access.ts';
import { computeOf } from '../computing/compute-of.ts';
import type { Field } from '../model/model.ts';
import { pathTree } from '../reading/guard-record.ts';
import { type Draft, type DraftNode, isMany, isWorkedOut, valueAt } from './draft.ts';
import { fill } from './fill.ts';
import { lineCommands } from './line-commands.ts';
import { wireValue } from './wire-value.ts';

export interface News {
  /** Fields that changed: in the form, or by a handler. */
  readonly changes: ReadonlySet<string>;
  /** Fields that handlers or defaults set. */
  readonly set: ReadonlySet<string>;
  /** Computes, as `model.field`, that the changes may have reached. */
  readonly reached: ReadonlySet<string>;
  /** A new form: everything that is computed is news. */
  readonly isOpening: boolean;
}

/** The values of the draft that are news to the caller, as far as they may read them. */
export async function valuesOut(draft: Draft, root: DraftNode, news: News): Promise<Record<string, unknown>> {
  const readable = [...root.model.fields.values()].filter(
    (field) => isShown(field) && mayReadField(draft.caller, field),
  );
  await fill(draft, [root], pathTree(readable.filter((field) => field.isEditable).map((field) => field.name)));
  const single = readable.filter((field) => !isList(field) && isNews(draft, root, field, news));
  await fill(draft, [root], pathTree(single.map((field) => field.name)));
  const value: Record<string, unknown> = {};
  for (const field of single) value[field.name] = wireValue(valueAt(draft, root, field));
  for (const field of readable.filter(isList)) {
    const commands =
      field.isEditable && isNews(draft, root, field, news)
        ? linksOut(wireValue(valueAt(draft, root, field)) as readonly number[], news)
        : ((await newsOfLines(draft, root, field, news)) ?? (news.set.has(field.name) ? given(root, field) : null));
    if (commands) value[field.name] = commands;
  }
  return value;
}

/** No links are no news to a form that is only opened. */
function linksOut(ids: readonly number[], { isOpening }: News): readonly unknown[] | null {
  return isOpening && ids.length === 0 ? null : [['set', ids]];
}

function isNews(draft: Draft, root: DraftNode, field: Field, { set, reached, isOpening }: News): boolean {
  if (set.has(field.name)) return true;
  const isComputed = field.isEditable ? isWorkedOut(draft, root, field) : computeOf(root.model, field) !== null;
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

/** Lines are looked at when their list changed, or when a change reaches a computed field of theirs. */
async function newsOfLines(
  draft: Draft,
  root: DraftNode,
  field: Field,
  { changes, reached }: News,
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
