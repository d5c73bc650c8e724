import { invalidArgs, KontorError, type Text, text, UserError } from '@kontor/protocol';
import {
  type BehaviourChange,
  changeBehaviour,
  describeBehaviour,
  isBehaviourChange,
  readBehaviourChange,
} from './change-behaviour.ts';
import { changeModel, describeModel, isModelChange, type ModelChange, readModelChange } from './change-model.ts';
import {
  type CustomDocument,
  type CustomField,
  canonicalJson,
  extensionIn,
  fieldIn,
  fieldsIn,
  modelIn,
  withExtension,
} from './document.ts';
import { mapSteps, pruned, type Words, withStep, withSteps, withWords } from './document-edits.ts';
import { without } from './fit-document.ts';
import { addSteps, type CustomView, mentions, readSteps, type ShownField, type ViewStep } from './view-steps.ts';

interface FieldNamed {
  readonly model: string;
  readonly name: string;
}

/** One change of an administrator. */
export type CustomChange =
  | (FieldNamed & {
      readonly do: 'add_field';
      readonly field: CustomField;
      readonly words?: Words;
      /** The field of the form that it comes after; empty: the place that fits best; null: not in the form. */
      readonly after?: string | null;
      /** Whether lists have it as a column that people can switch on. */
      readonly inList?: boolean;
    })
  | (FieldNamed & { readonly do: 'change_field'; readonly field: Partial<CustomField>; readonly words?: Words })
  | (FieldNamed & { readonly do: 'retire_field' })
  | (FieldNamed & { readonly do: 'use_field' })
  | (FieldNamed & { readonly do: 'delete_field' })
  /** Brings a deleted field back, with its data. */
  | (FieldNamed & { readonly do: 'restore_field' })
  | ModelChange
  /** Adds steps to a view. */
  | (ViewNamed & { readonly do: 'edit_view'; readonly steps: readonly ViewStep[]; readonly words?: Words })
  /** Drops all steps of a view. */
  | (ViewNamed & { readonly do: 'reset_view' })
  | BehaviourChange;

interface ViewNamed {
  /** Its external id. */
  readonly view: string;
  readonly model: string;
}

const fieldChanges = ['add_field', 'change_field', 'retire_field', 'use_field', 'delete_field', 'restore_field'];
const viewChanges = ['edit_view', 'reset_view'];

/** A change from outside, as far as `applyChange` reads it; `readDocument` checks the rest with the document. */
export function readChange(value: unknown): CustomChange {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  const changed = readModelChange(given) ?? readBehaviourChange(given);
  if (changed) return changed;
  const isObject = (member: unknown) => typeof member === 'object' && member !== null && !Array.isArray(member);
  const needsField = given.do === 'add_field' || given.do === 'change_field';
  const isChange =
    isObject(value) &&
    typeof given.model === 'string' &&
    (viewChanges.includes(given.do as string)
      ? typeof given.view === 'string'
      : fieldChanges.includes(given.do as string) && typeof given.name === 'string') &&
    (!needsField || isObject(given.field)) &&
    (given.words === undefined || (isObject(given.words) && Object.values(given.words as object).every(isObject))) &&
    (given.after === undefined || given.after === null || typeof given.after === 'string');
  if (isChange && given.do === 'edit_view')
    return { ...(value as CustomChange & { do: 'edit_view' }), steps: readSteps(given.view as string, given.steps) };
  if (isChange) return value as unknown as CustomChange;
  throw invalidArgs('A change is {"do": "add_field", "model": "crm.lead", "name": "x_lift", "field": {…}}.', {
    field: 'changes',
  });
}

/** The views of a model that new fields are put into, and the field that they come after by default. */
export interface ViewPlaces {
  readonly form: ViewPlace | null;
  readonly list: ViewPlace | null;
}
export interface ViewPlace {
  /** Its external id. */
  readonly view: string;
  readonly last: string | null;
}

/** The document after a change; the result still has to be read with `readDocument`, which checks it. */
export function applyChange(
  document: CustomDocument,
  change: Exclude<CustomChange, { readonly do: 'restore_field' | 'restore_model' }>,
  places: ViewPlaces,
): CustomDocument {
  if (isModelChange(change)) return changeModel(document, change, places.form?.view ?? null);
  if (change.do === 'edit_view')
    return pruned(
      withSteps(withWords(document, change.words), change.view, (known) =>
        addSteps(
          known,
          change.steps.map((step) => withLook(document, change.model, step)),
        ),
      ),
    );
  if (isBehaviourChange(change)) return changeBehaviour(document, change);
  if (change.do === 'reset_view') return pruned(withSteps(document, change.view, () => []));
  const { model, name } = change;
  const known = fieldIn(document, model, name);
  if (change.do === 'add_field') {
    if (known) throw new UserError(text('"{name}" is the name of another field of this model.', { name }));
    const added = withField(withWords(document, change.words), change, change.field);
    return modelIn(document, model)
      ? withShown(added, change, change.after)
      : withPlaces(added, change, change.field, places, change);
  }
  if (!known) throw new KontorError('NOT_FOUND', text('There is no added field "{name}".', { name }));
  if (change.do === 'delete_field')
    return pruned(
      withoutSteps(
        withoutShown(
          without(document, (at) => at === `${model}.${name}`),
          change,
        ),
        change,
      ),
    );
  if (change.do === 'retire_field')
    return withField(withoutSteps(document, change), change, { ...known, retired: true });
  if (change.do === 'use_field') {
    const { retired: _, ...field } = known;
    if (modelIn(document, model)) return withShown(withField(document, change, field), change);
    return withPlaces(withField(document, change, field), change, field, places, { inList: true });
  }
  const merged = { ...known, ...change.field };
  const field = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as CustomField &
    object;
  return pruned(
    withLooks(withField(withWords(document, change.words), change, field as CustomField), name, field as CustomField),
  );
}

function withField(document: CustomDocument, { model, name }: FieldNamed, field: CustomField): CustomDocument {
  const fields = { ...fieldsIn(document, model), ...Object.fromEntries([[name, field]]) };
  return withExtension(document, model, { fields });
}

/** The screens of an added model have its fields in the order of its list. */
function withShown(document: CustomDocument, { model, name }: FieldNamed, after: string | null = ''): CustomDocument {
  const known = modelIn(document, model);
  if (!known || after === null || known.shown.includes(name)) return document;
  const at = after === '' ? -1 : known.shown.indexOf(after);
  const shown = at < 0 ? [...known.shown, name] : known.shown.toSpliced(at + 1, 0, name);
  return { ...document, models: { ...document.models, [model]: { ...known, shown } } };
}

function withoutShown(document: CustomDocument, { model, name }: FieldNamed): CustomDocument {
  const known = modelIn(document, model);
  if (!known) return document;
  const { board, calendar, ...others } = known;
  const left = {
    ...others,
    ...(board && board !== name && { board }),
    ...(calendar && calendar !== name && { calendar }),
    shown: known.shown.filter((each) => each !== name),
  };
  return { ...document, models: { ...document.models, [model]: left } };
}

function withPlaces(
  document: CustomDocument,
  { name }: FieldNamed,
  field: CustomField,
  { form, list }: ViewPlaces,
  { after = '', inList = false }: { readonly after?: string | null; readonly inList?: boolean },
): CustomDocument {
  let placed = document;
  const anchor = after || form?.last;
  if (form && anchor && after !== null) placed = withStep(placed, form.view, stepAfter(anchor, shown(name, field)));
  if (list?.last && inList) {
    const column = { ...shown(name, field), optional: 'hide' as const };
    placed = withStep(placed, list.view, stepAfter(list.last, column));
  }
  return placed;
}

/** Choices with a colour are shown as badges. */
function shown(name: string, { choices }: CustomField): ShownField {
  const looks = (choices ?? []).flatMap(({ value, look }) => (look ? [[value, look] as const] : []));
  return looks.length === 0 ? { name } : { name, widget: 'badge', options: { looks: Object.fromEntries(looks) } };
}

function withLook(document: CustomDocument, model: string, step: ViewStep): ViewStep {
  if (!('fields' in step)) return step;
  const fields = step.fields.map((each) => {
    const own = fieldIn(document, model, each.name);
    return own ? { ...shown(each.name, own), ...each } : each;
  });
  return { ...step, fields };
}

function stepAfter(anchor: string, field: ShownField): ViewStep {
  return { expr: `//field[@name='${anchor}']`, position: 'after', fields: [field] };
}

/** Fields that came after it now come after what it came after; other steps that name it are dropped. */
function withoutSteps(document: CustomDocument, { name }: FieldNamed): CustomDocument {
  const own = `//field[@name='${name}']`;
  const views = document.views.map((view): CustomView => {
    let instead: string | null = null;
    const steps = view.steps.flatMap((step): readonly ViewStep[] => {
      if (!('fields' in step)) return mentions(step, name) ? [] : [step];
      const fields = step.fields.filter((field) => field.name !== name);
      if (fields.length < step.fields.length) instead = step.expr;
      if (fields.length === 0 || (step.expr !== own && mentions({ ...step, fields }, name))) return [];
      return [{ ...step, fields, ...(step.expr === own && instead !== null ? { expr: instead } : {}) }];
    });
    return { ...view, steps };
  });
  return { ...document, views: views.filter(({ steps }) => steps.length > 0) };
}

function withLooks(document: CustomDocument, name: string, field: CustomField): CustomDocument {
  return mapSteps(document, (step) => {
    if (!('fields' in step)) return [step];
    const fields = step.fields.map((each) => {
      if (each.name !== name || field.choices === undefined) return each;
      const { widget: _, options: __, ...rest } = each;
      return { ...rest, ...shown(name, field) };
    });
    return [{ ...step, fields }];
  });
}

/** What changed between two documents, one sentence each. */
export function describeChanges(
  before: CustomDocument,
  after: CustomDocument,
  labelOf: (model: string) => string,
): readonly Text[] {
  const said: Text[] = [];
  const told = new Set<string>();
  for (const name of new Set([...Object.keys(before.models ?? {}), ...Object.keys(after.models ?? {})]))
    said.push(...describeModel(modelIn(before, name), modelIn(after, name)));
  const nameOf = (model: string) => (modelIn(after, model) ?? modelIn(before, model))?.label ?? labelOf(model);
  for (const model of new Set([...Object.keys(before.extends), ...Object.keys(after.extends)])) {
    const [old, now] = [before, after].map((each) => fieldsIn(each, model)) as [Fields, Fields];
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (old[name]?.retired !== now[name]?.retired || !old[name] || !now[name]) told.add(name);
      said.push(...describeField(old[name], now[name], nameOf(model)));
    }
    said.push(...describeBehaviour(extensionIn(before, model), extensionIn(after, model), nameOf(model)));
  }
  const viewNames = new Set([...before.views, ...after.views].map(({ view }) => view));
  for (const view of viewNames) {
    const [old, now] = [before, after].map((each) => canonicalJson(stepsOfOthers(each, view, told)));
    if (old !== now) said.push(text('The view {view} changed.', { view }));
  }
  for (const lang of new Set([...Object.keys(before.words), ...Object.keys(after.words)]))
    if (canonicalJson(before.words[lang]) !== canonicalJson(after.words[lang]))
      said.push(text('Translations changed: {lang}.', { lang }));
  return said;
}

/** The steps of a view without those that only show fields that came or went. */
function stepsOfOthers(document: CustomDocument, view: string, told: ReadonlySet<string>): readonly ViewStep[] {
  const steps = document.views.find((one) => one.view === view)?.steps ?? [];
  return steps.filter((step) => !('fields' in step) || !step.fields.every(({ name }) => told.has(name)));
}

type Fields = Readonly<Record<string, CustomField | undefined>>;

function describeField(old: CustomField | undefined, now: CustomField | undefined, model: string): readonly Text[] {
  if (!old) return now ? [text('The field "{label}" was added to {model}.', { label: now.label, model })] : [];
  if (!now) return [text('The field "{label}" of {model} was deleted.', { label: old.label, model })];
  const said: Text[] = [];
  if (old.label !== now.label)
    said.push(
      text('The field "{old}" of {model} is now called "{label}".', { old: old.label, model, label: now.label }),
    );
  if (!old.retired && now.retired)
    said.push(text('The field "{label}" of {model} was retired.', { label: now.label, model }));
  if (old.retired && !now.retired)
    said.push(text('The field "{label}" of {model} is in use again.', { label: now.label, model }));
  const rest = ({ label: _, retired: __, ...others }: CustomField) => canonicalJson(others);
  if (rest(old) !== rest(now)) said.push(text('The field "{label}" of {model} changed.', { label: now.label, model }));
  return said;
}
