import { invalidArgs, type OnchangeAnswer, type Words } from '@kontor/protocol';
import { checkFieldWrite, mayReadField } from '../access/field-access.ts';
import { checkModelAccess } from '../access/model-access.ts';
import { applyDefaults } from '../defaults/apply-defaults.ts';
import { knownField } from '../domain/known-field.ts';
import { checkShape } from '../given/check-names.ts';
import { computeOf } from '../graph/compute-of.ts';
import { expandAnswered } from '../model/expand-sets.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { load } from '../reading/load.ts';
import { lockedIn } from '../states/check-locks.ts';
import { applyValues, givenNames } from './apply-values.ts';
import { changedValues } from './changed-values.ts';
import { addRoot, type Draft, type DraftNode, forgetComputed, openDraft } from './draft.ts';
import { sourcesOf as editableSources } from './editables.ts';
import { loadInto } from './fill.ts';
import { normaliseDraft } from './normalise-draft.ts';
import { overlapWarnings } from './overlap-warnings.ts';
import { applyParentForms, hideUnreadable, splitParentForms } from './parent-forms.ts';
import { placeDraft } from './place-draft.ts';
import { type HandlerResults, runHandlers } from './run-handlers.ts';

export interface OnchangeOptions {
  readonly id?: number | null;
}

/**
 * The values that a form should show after fields changed in it: results of handlers and computes on the draft; nothing is
 * written. Without values and changes: the defaults of a new record. The many2one of a line to its parent form may be an
 * object with what is typed there, and its `id` once it has one.
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
  const isOpening = isNew && changed.length === 0;
  const { own, parents } = splitParentForms(env.registry, model, values);
  const [defaults = {}] = isNew ? await applyDefaults(env, model, [own]) : [{ ...own }];
  const draft = openDraft(env);
  const root = addRoot(draft, model, isNew ? 0 : id);
  root.changed = isOpening ? null : new Set(changed);
  root.pinned = isOpening ? givenNames(values) : new Set(changed);
  await loadInto(draft, model, isNew ? [] : [root], relationsIn(model, own));
  if (!isNew) await pinLockedFields(draft, root);
  await hideUnreadable(draft, model, own, parents);
  await applyValues(draft, root, defaults);
  const edited = [root, ...(await applyParentForms(draft, root, parents))];
  refresh(draft, edited);
  const placed = await placeDraft(draft, root);
  if (placed.length > 0) refresh(draft, edited);

  const start = [...(isOpening ? Object.keys(defaults) : changed), ...placed];
  const results = await runHandlers(draft, root, start, () => refresh(draft, edited));
  const normalised = await normaliseDraft(draft, root, new Set([...start, ...results.set, ...root.followed]));
  for (const name of normalised) results.set.add(name);
  if (normalised.length > 0) refresh(draft, edited);
  const changes = new Set([...start, ...results.set, ...root.followed]);
  if (!isOpening) results.warnings.push(...(await overlapWarnings(draft, root, changes)));
  const given = isOpening ? Object.keys(defaults).filter((name) => values[name] === undefined) : [];
  const reached = affectedBy(
    env.registry,
    [...changes].flatMap((name) => sourcesOf(root, name)),
  );
  const form = { changes, set: new Set([...results.set, ...placed, ...given]), reached, isOpening };
  return answer(env, model, results, await changedValues(draft, root, form));
}

function checkArguments(env: Env, model: Model, values: Values, changed: readonly string[]): void {
  checkShape(model, values);
  if (!Array.isArray(changed) || !changed.every((name) => typeof name === 'string')) {
    throw invalidArgs('The changed fields are given by name.', { model: model.name });
  }
  const inside = env.outside(false);
  for (const name of [...Object.keys(values), ...changed]) checkFieldWrite(inside, knownField(model, name));
}

/** Fields that the state of the stored record locks do not change, as on write. */
async function pinLockedFields(draft: Draft, root: DraftNode): Promise<void> {
  const { states, fields } = root.model;
  if (!states || states.locks.size === 0) return;
  await loadInto(draft, root.model, [root], [fields.get(states.field) as Field]);
  for (const name of lockedIn(root.model, root.loaded.get(states.field) as string | null)) root.pinned.add(name);
}

function relationsIn(model: Model, values: Values): readonly Field[] {
  return Object.keys(values).flatMap((name) => {
    const field = model.fields.get(name);
    return field?.spec.relation ? [field] : [];
  });
}

/** Drops computed values, and collects the computes that the draft may have changed. */
function refresh(draft: Draft, edited: readonly DraftNode[]): void {
  const nodes = new Set([...edited, ...draft.nodes.values(), ...edited.flatMap(editedLines)]);
  for (const node of nodes) forgetComputed(node);
  const given = edited.flatMap((node) => [...node.given.keys()].flatMap((name) => sourcesOf(node, name)));
  draft.affected = affectedBy(draft.env.registry, given);
}

function editedLines(node: DraftNode): readonly DraftNode[] {
  const lines = [...node.edits.values()].flatMap((edits) => edits.flatMap((edit) => edit.line ?? []));
  return lines.flatMap((line) => [line, ...editedLines(line)]);
}

/** What changes with a field: the field itself, and for a list also the edits of its lines. */
function sourcesOf(node: DraftNode, name: string): readonly string[] {
  const lines = (node.edits.get(name) ?? []).flatMap((edit) => edit.line ?? []);
  const inLines = lines.flatMap((line) => [...line.given.keys()].flatMap((below) => sourcesOf(line, below)));
  return [`${node.model.name}.${name}`, ...inLines];
}

function answer(env: Env, model: Model, results: HandlerResults, value: Record<string, unknown>): OnchangeAnswer {
  const [first] = results.warnings;
  const translate = env.registry.wordsIn(env.actor.lang);
  const say = (words: Words) => translate(words, model.module);
  const message = results.warnings.map((warning) => say(warning.message)).join('\n');
  const domains = Object.entries(results.domain).filter(([name]) => mayReadField(env, knownField(model, name)));
  return {
    value,
    ...(first ? { warning: { title: say(first.title), message } } : {}),
    ...(domains.length > 0 ? { domain: expandAnswered(env.registry, model.fields, Object.fromEntries(domains)) } : {}),
  };
}

type Readers = ReadonlyMap<string, ReadonlySet<string>>;
const byRegistry = new WeakMap<Registry, Readers>();

/**
 * All computes, stored or not, including editable ones, that a change of the given fields may affect, as `model.field`.
 */
function affectedBy(registry: Registry, changed: Iterable<string>): Set<string> {
  const readers = readersOf(registry);
  const reached = new Set<string>();
  const queue = [...changed];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const reader of readers.get(next) ?? []) {
      if (reached.has(reader)) continue;
      reached.add(reader);
      queue.push(reader);
    }
  }
  return reached;
}

function readersOf(registry: Registry): Readers {
  const known = byRegistry.get(registry);
  if (known) return known;
  const readers = new Map<string, Set<string>>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      const paths = computeOf(model, field)?.depends ?? [];
      const sources = field.isEditable
        ? [...editableSources(field)].map((name) => `${model.name}.${name}`)
        : paths.flatMap((path) => fieldsAlong(registry, model, path));
      for (const source of sources) {
        const own = readers.get(source) ?? new Set();
        readers.set(source, own.add(`${model.name}.${field.name}`));
      }
    }
  }
  byRegistry.set(registry, readers);
  return readers;
}

/** Each field along the path, and the many2one on the other side of a one2many. */
function fieldsAlong(registry: Registry, start: Model, path: string): readonly string[] {
  const sources: string[] = [];
  let model: Model | null = start;
  for (const name of path.split('.')) {
    const field: Field | undefined = model?.fields.get(name);
    if (!field) break;
    sources.push(`${field.model}.${name}`);
    model = field.spec.relation ? registry.model(field.spec.relation) : null;
    if (model && field.spec.inverse) sources.push(`${model.name}.${field.spec.inverse}`);
  }
  return sources;
}
