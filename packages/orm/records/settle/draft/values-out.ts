import { mayReadField } from '../../../access/field-access.ts';
import { mayAccessModel } from '../../../access/model-access.ts';
import type { Env } from '../../../env.ts';
import type { Field } from '../../../model/model.ts';
import { pathTree } from '../../guard-record.ts';
import { computeOf } from '../compute-of.ts';
import { type Draft, isMany, valueAt } from './draft.ts';
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
export async function valuesOut(env: Env, draft: Draft, news: News): Promise<Record<string, unknown>> {
  const { root } = draft;
  const readable = [...root.model.fields.values()].filter((field) => isShown(field) && mayReadField(env, field));
  const single = readable.filter((field) => !isList(field) && isNews(draft, field, news));
  await fill(draft, [root], pathTree(single.map((field) => field.name)));
  const value: Record<string, unknown> = {};
  for (const field of single) value[field.name] = wireValue(valueAt(draft, root, field));
  for (const field of readable.filter(isList)) {
    const commands =
      (await newsOfLines(env, draft, field, news)) ?? (news.set.has(field.name) ? given(draft, field) : null);
    if (commands) value[field.name] = commands;
  }
  return value;
}

function isNews(draft: Draft, field: Field, { set, reached, isOpening }: News): boolean {
  if (set.has(field.name)) return true;
  return computeOf(draft.root.model, field) !== null && (isOpening || reached.has(`${field.model}.${field.name}`));
}

/** Names of records are shown where they are chosen, not in the form of the record itself. */
function isShown(field: Field): boolean {
  return field.name !== 'display_name';
}

function isList(field: Field): boolean {
  return isMany(field) && field.compute === null && field.related === null;
}

function given(draft: Draft, field: Field): readonly unknown[] | null {
  return draft.root.edits.get(field.name)?.map((edit) => edit.command) ?? null;
}

/** Lines are looked at when their list changed, or when a change reaches a computed field of theirs. */
async function newsOfLines(
  env: Env,
  draft: Draft,
  field: Field,
  { changes, reached }: News,
): Promise<readonly unknown[] | null> {
  const lines = draft.env.registry.model(field.spec.relation as string);
  const isReached = [...lines.fields.values()].some((each) => {
    return isShown(each) && computeOf(lines, each) !== null && reached.has(`${lines.name}.${each.name}`);
  });
  const isEdited = changes.has(field.name) || (isReached && draft.root.edits.has(field.name));
  const followsAlong = isReached && draft.root.id !== 0 && field.spec.inverse !== undefined;
  if ((!isEdited && !followsAlong) || !mayAccessModel(env, lines, 'read')) return null;
  await fill(draft, [draft.root], pathTree([field.name]));
  return lineCommands(env, draft, draft.root, field);
}
