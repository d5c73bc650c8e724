import { invalidArgs } from '@kontor/protocol';
import { checkFieldWrite, mayReadField } from '../../access/field-access.ts';
import { checkModelAccess } from '../../access/model-access.ts';
import { knownField } from '../../domain/known-field.ts';
import type { Env } from '../../env.ts';
import type { OnchangeAnswer } from '../../model/definition.ts';
import type { Field, Model } from '../../model/model.ts';
import { checkShape } from '../check-names.ts';
import { pathTree } from '../guard-record.ts';
import { load } from '../load.ts';
import type { Values } from '../records.ts';
import { draftDefaults } from './apply-defaults.ts';
import { computeOf } from './compute-of.ts';
import { affectedBy } from './draft/affected-by.ts';
import { type Draft, type DraftNode, isMany, openDraft, valueAt } from './draft/draft.ts';
import { fill, loadInto } from './draft/fill.ts';
import { give } from './draft/give.ts';
import { hideUnreadable } from './draft/hide-unreadable.ts';
import { lineCommands } from './draft/line-commands.ts';
import { type HandlerResults, runHandlers } from './draft/run-handlers.ts';
import { wireValue } from './draft/wire-value.ts';

export interface OnchangeOptions {
  readonly id?: number | null;
}

/**
 * What a form should show after fields changed in it: what handlers say and what computes come to, on the draft, with
 * nothing written. Without values and changes: the defaults of a new record.
 */
export async function onchange(
  env: Env,
  model: Model,
  values: Values,
  changed: readonly string[],
  { id }: OnchangeOptions = {},
): Promise<OnchangeAnswer> {
  checkModelAccess(env, model, 'read');
  checkArguments(env, model, values, changed);
  const isNew = id === undefined || id === null || id === 0;
  if (!isNew) await load(env, model, [id], []);
  const draft = openDraft(env, model, isNew ? 0 : id);
  const isOpening = isNew && changed.length === 0;
  const defaults = isNew ? draftDefaults(env, model, values) : { ...values };
  await loadInto(draft, model, isNew ? [] : [draft.root], relationsIn(model, values));
  await hideUnreadable(env, draft, values);
  await give(draft, draft.root, defaults);
  refresh(draft);

  const start = isOpening ? Object.keys(defaults) : changed;
  const results = await runHandlers(draft, start, () => refresh(draft));
  const shown = new Set([
    ...results.set,
    ...(isOpening ? Object.keys(defaults).filter((name) => !(name in values)) : []),
  ]);
  const reached = affectedBy(
    env.registry,
    [...start, ...results.set].flatMap((name) => sourcesOf(draft.root, name)),
  );
  return answer(results, await valuesOut(env, draft, shown, reached, isOpening));
}

function checkArguments(env: Env, model: Model, values: Values, changed: readonly string[]): void {
  checkShape(model, values);
  if (!Array.isArray(changed) || !changed.every((name) => typeof name === 'string')) {
    throw invalidArgs('The changed fields are given by name.', { model: model.name });
  }
  const inside = env.outside(false);
  for (const name of [...Object.keys(values), ...changed]) checkFieldWrite(inside, knownField(model, name));
}

function relationsIn(model: Model, values: Values): readonly Field[] {
  return Object.keys(values).flatMap((name) => {
    const field = model.fields.get(name);
    return field?.spec.relation ? [field] : [];
  });
}

/** Forgets what was worked out, and tells what the draft as it is now may have changed. */
function refresh(draft: Draft): void {
  const nodes = new Set([draft.root, ...draft.nodes.values(), ...editedLines(draft.root)]);
  for (const node of nodes) node.computed.clear();
  const given = [...draft.root.given.keys()].flatMap((name) => sourcesOf(draft.root, name));
  draft.affected = affectedBy(draft.env.registry, given);
}

function editedLines(node: DraftNode): readonly DraftNode[] {
  const lines = [...node.edits.values()].flatMap((edits) => edits.flatMap((edit) => edit.line ?? []));
  return lines.flatMap((line) => [line, ...editedLines(line)]);
}

/** What changes when a field does: the field, and for a list also what was typed into its lines. */
function sourcesOf(node: DraftNode, name: string): readonly string[] {
  const lines = (node.edits.get(name) ?? []).flatMap((edit) => edit.line ?? []);
  const inLines = lines.flatMap((line) => [...line.given.keys()].flatMap((below) => sourcesOf(line, below)));
  return [`${node.model.name}.${name}`, ...inLines];
}

async function valuesOut(
  env: Env,
  draft: Draft,
  shown: ReadonlySet<string>,
  reached: ReadonlySet<string>,
  isOpening: boolean,
): Promise<Record<string, unknown>> {
  const { root } = draft;
  const value: Record<string, unknown> = {};
  const fields = [...root.model.fields.values()].filter(
    (field) => field.name !== 'display_name' && mayReadField(env, field),
  );
  const computed = fields.filter((field) => {
    return computeOf(root.model, field) !== null && (isOpening || reached.has(`${field.model}.${field.name}`));
  });
  const names = new Set([...shown, ...computed.map((field) => field.name)]);
  const out = fields.filter((field) => names.has(field.name) && !isList(field));
  await fill(draft, [root], pathTree(out.map((field) => field.name)));
  for (const field of out) value[field.name] = wireValue(valueAt(draft, root, field));
  for (const field of fields.filter(isList)) {
    const commands = mayHaveNews(draft, field, reached) ? await newsOfLines(env, draft, field) : null;
    const given = shown.has(field.name) ? root.edits.get(field.name)?.map((edit) => edit.command) : undefined;
    if (commands ?? given) value[field.name] = commands ?? given;
  }
  return value;
}

async function newsOfLines(env: Env, draft: Draft, field: Field): Promise<readonly unknown[] | null> {
  await fill(draft, [draft.root], pathTree([field.name]));
  return lineCommands(env, draft, draft.root, field);
}

function isList(field: Field): boolean {
  return isMany(field) && field.compute === null && field.related === null;
}

/** Lines need a look when they were edited, or when something reaches a computed field of theirs. */
function mayHaveNews(draft: Draft, field: Field, reached: ReadonlySet<string>): boolean {
  if (draft.root.edits.has(field.name)) return true;
  if (draft.root.id === 0 || !field.spec.inverse) return false;
  const model = draft.env.registry.model(field.spec.relation as string);
  return [...model.fields.values()].some((each) => {
    return each.name !== 'display_name' && computeOf(model, each) !== null && reached.has(`${model.name}.${each.name}`);
  });
}

function answer({ warnings, domain }: HandlerResults, value: Record<string, unknown>): OnchangeAnswer {
  const [first] = warnings;
  const message = warnings.map((warning) => warning.message).join('\n');
  return {
    value,
    ...(first ? { warning: { title: first.title, message } } : {}),
    ...(Object.keys(domain).length > 0 ? { domain } : {}),
  };
}
