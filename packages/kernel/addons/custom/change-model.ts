import { invalidArgs, KontorError, type Text, text, UserError } from '@kontor/protocol';
import { type AddedModel, linesField } from './added-model.ts';
import { type CustomDocument, canonicalJson, modelIn } from './document.ts';
import { pruned, type Words, withStep, withWords } from './document-edits.ts';
import { withoutModels } from './fit-document.ts';
import { mentions } from './view-steps.ts';

interface ModelNamed {
  readonly model: string;
}

type NewModel = Omit<AddedModel, 'shown'> & { readonly shown?: AddedModel['shown'] };
/** Null takes a property away. */
type ChangedModel = { readonly [Name in keyof AddedModel]?: AddedModel[Name] | null };

/** One change of an added model. Its fields, states and moves are changed like those of any model. */
export type ModelChange =
  | (ModelNamed & { readonly do: 'add_model'; readonly spec: NewModel; readonly words?: Words })
  | (ModelNamed & { readonly do: 'change_model'; readonly spec: ChangedModel; readonly words?: Words })
  | (ModelNamed & { readonly do: 'retire_model' })
  | (ModelNamed & { readonly do: 'use_model' })
  | (ModelNamed & { readonly do: 'delete_model' })
  /** Brings a deleted model back, with its records. */
  | (ModelNamed & { readonly do: 'restore_model' });

type PlainModelChange = Exclude<ModelChange, { readonly do: 'restore_model' }>;

const kinds: readonly unknown[] = ['add_model', 'change_model', 'retire_model', 'use_model', 'delete_model'];

export function isModelChange(change: { readonly do: string }): change is PlainModelChange {
  return kinds.includes(change.do);
}

/** A change of a model from outside; null: it is another change. `readDocument` checks the rest with the document. */
export function readModelChange(given: Readonly<Record<string, unknown>>): ModelChange | null {
  if (!kinds.includes(given.do) && given.do !== 'restore_model') return null;
  const isObject = (member: unknown) => typeof member === 'object' && member !== null && !Array.isArray(member);
  const needsSpec = given.do === 'add_model' || given.do === 'change_model';
  const { words } = given;
  const isChange =
    typeof given.model === 'string' &&
    (!needsSpec || isObject(given.spec)) &&
    (words === undefined || (isObject(words) && Object.values(words as object).every(isObject)));
  if (isChange) return given as unknown as ModelChange;
  throw invalidArgs('A change is {"do": "add_model", "model": "x_machine", "spec": {"label": "Machine", …}}.', {
    field: 'changes',
  });
}

/** The document after a change of a model. `wholeForm` is the form of an addon's model that a new model is part of. */
export function changeModel(
  document: CustomDocument,
  change: PlainModelChange,
  wholeForm: string | null,
): CustomDocument {
  const { model: name } = change;
  const known = modelIn(document, name);
  if (change.do === 'add_model') {
    if (known) throw new UserError(text('"{name}" is the name of another model.', { name }));
    const { spec, words } = change;
    const added = withModel(withWords(document, words), name, { ...spec, shown: spec.shown ?? [] });
    return spec.partOf && wholeForm ? withLines(added, name, spec.partOf.label, wholeForm) : added;
  }
  if (!known)
    throw new KontorError('NOT_FOUND', text('There is no added model "{name}".', { name: name.slice(0, 80) }));
  if (change.do === 'delete_model') return pruned(withoutLines(withoutModels(document, new Set([name])), name));
  if (change.do === 'retire_model') return withModel(document, name, { ...known, retired: true });
  if (change.do === 'use_model') {
    const { retired: _, ...model } = known;
    return withModel(document, name, model);
  }
  const { partOf } = change.spec;
  if (partOf !== undefined && partOf?.model !== known.partOf?.model)
    throw new UserError(text('What a model is part of cannot change.'));
  const merged = Object.entries({ ...known, ...change.spec }).filter(([, value]) => value !== null);
  return pruned(
    withModel(withWords(document, change.words), name, Object.fromEntries(merged) as unknown as AddedModel),
  );
}

function withModel(document: CustomDocument, name: string, model: AddedModel): CustomDocument {
  return { ...document, models: { ...document.models, ...Object.fromEntries([[name, model]]) } };
}

/** The lines are at the end of the form, under their label. */
function withLines(document: CustomDocument, name: string, label: string, view: string): CustomDocument {
  // An expression has no way to quote both marks.
  const title = label.includes("'") ? label.replaceAll('"', '”') : label;
  const quoted = title.includes("'") ? `"${title}"` : `'${title}'`;
  const element = { tag: 'group', label: title } as const;
  const group = withStep(document, view, { expr: '/form', position: 'inside', element });
  const fields = [{ name: linesField(name) }];
  return withStep(group, view, { expr: `//group[@label=${quoted}]`, position: 'inside', fields });
}

/** Without the steps that show its lines, and those on its own screens. */
function withoutLines(document: CustomDocument, name: string): CustomDocument {
  const field = linesField(name);
  const views = document.views
    .filter(({ view }) => !view.startsWith(`custom.${name}_`) || isOfAnother(document, view))
    .map((view) => {
      const steps = view.steps.filter((step) => !mentions(step, field));
      const shown = view.steps.find((step) => 'fields' in step && mentions(step, field));
      // The group that was made for the lines goes with them.
      const group = shown && /^\/\/group\[@label=(?:'([^']*)'|"([^"]*)")\]$/.exec(shown.expr);
      const label = group?.[1] ?? group?.[2];
      const isUsed = label !== undefined && steps.some(({ expr }) => shown && expr === shown.expr);
      return {
        ...view,
        steps: steps.filter((step) => isUsed || !('element' in step) || step.element.label !== label),
      };
    });
  return { ...document, views: views.filter(({ steps }) => steps.length > 0) };
}

function isOfAnother({ models = {} }: CustomDocument, view: string): boolean {
  return Object.keys(models).some((name) => view.startsWith(`custom.${name}_`));
}

/** What changed in a model, one sentence each. */
export function describeModel(old: AddedModel | undefined, now: AddedModel | undefined): readonly Text[] {
  if (!old) return now ? [text('The model "{label}" was added.', { label: now.label })] : [];
  if (!now) return [text('The model "{label}" was deleted.', { label: old.label })];
  const said: Text[] = [];
  if (old.label !== now.label)
    said.push(text('The model "{old}" is now called "{label}".', { old: old.label, label: now.label }));
  if (!old.retired && now.retired) said.push(text('The model "{label}" was retired.', { label: now.label }));
  if (old.retired && !now.retired) said.push(text('The model "{label}" is in use again.', { label: now.label }));
  if (canonicalJson(old.access) !== canonicalJson(now.access))
    said.push(text('Who sees and changes "{label}" changed.', { label: now.label }));
  const rest = ({ label: _, retired: __, access: ___, shown: ____, ...others }: AddedModel) => canonicalJson(others);
  if (rest(old) !== rest(now)) said.push(text('The model "{label}" changed.', { label: now.label }));
  return said;
}
