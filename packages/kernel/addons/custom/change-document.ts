import { invalidArgs, KontorError, type Text, text, UserError } from '@kontor/protocol';
import { type CustomDocument, type CustomField, canonicalJson, fieldIn, fieldsIn } from './document.ts';
import { without } from './fit-document.ts';
import {
  addSteps,
  type CustomView,
  mentions,
  readSteps,
  type ShownField,
  textsIn,
  type ViewStep,
} from './view-steps.ts';

type Words = CustomDocument['words'];

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
  /** Adds steps to a view. */
  | (ViewNamed & { readonly do: 'edit_view'; readonly steps: readonly ViewStep[]; readonly words?: Words })
  /** Drops all steps of a view. */
  | (ViewNamed & { readonly do: 'reset_view' });

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
  change: Exclude<CustomChange, { readonly do: 'restore_field' }>,
  places: ViewPlaces,
): CustomDocument {
  if (change.do === 'edit_view')
    return pruned(
      withSteps(withWords(document, change.words), change.view, (known) =>
        addSteps(
          known,
          change.steps.map((step) => withLook(document, change.model, step)),
        ),
      ),
    );
  if (change.do === 'reset_view') return pruned(withSteps(document, change.view, () => []));
  const { model, name } = change;
  const known = fieldIn(document, model, name);
  if (change.do === 'add_field') {
    if (known) throw new UserError(text('"{name}" is the name of another field of this model.', { name }));
    const added = withField(withWords(document, change.words), change, change.field);
    return withPlaces(added, change, change.field, places, change);
  }
  if (!known) throw new KontorError('NOT_FOUND', text('There is no added field "{name}".', { name }));
  if (change.do === 'delete_field')
    return pruned(
      withoutSteps(
        without(document, (at) => at === `${model}.${name}`),
        change,
      ),
    );
  if (change.do === 'retire_field')
    return withField(withoutSteps(document, change), change, { ...known, retired: true });
  if (change.do === 'use_field') {
    const { retired: _, ...field } = known;
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
  return { ...document, extends: { ...document.extends, ...Object.fromEntries([[model, { fields }]]) } };
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

function withStep(document: CustomDocument, view: string, step: ViewStep): CustomDocument {
  return withSteps(document, view, (known) => [...known, step]);
}

function withSteps(
  document: CustomDocument,
  view: string,
  change: (known: readonly ViewStep[]) => readonly ViewStep[],
): CustomDocument {
  const isThere = document.views.some((each) => each.view === view);
  const views = (isThere ? document.views : [...document.views, { view, steps: [] }]).map((each) =>
    each.view === view ? { ...each, steps: change(each.steps) } : each,
  );
  return { ...document, views: views.filter(({ steps }) => steps.length > 0) };
}

function mapSteps(document: CustomDocument, change: (step: ViewStep) => readonly ViewStep[]): CustomDocument {
  const views = document.views
    .map((view): CustomView => ({ ...view, steps: view.steps.flatMap(change) }))
    .filter(({ steps }) => steps.length > 0);
  return { ...document, views };
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

function withWords(document: CustomDocument, words: Words = {}): CustomDocument {
  const merged = Object.entries(words).map(([lang, said]) => [lang, { ...document.words[lang], ...said }] as const);
  return { ...document, words: { ...document.words, ...Object.fromEntries(merged) } };
}

/** Without translations of texts that nothing has any more. */
function pruned(document: CustomDocument): CustomDocument {
  const used = new Set(
    Object.values(document.extends)
      .flatMap(({ fields }) => Object.values(fields))
      .flatMap(({ label, help = '', choices = [] }) => [label, help, ...choices.map((choice) => choice.label)]),
  );
  for (const step of document.views.flatMap(({ steps }) => steps)) for (const value of textsIn(step)) used.add(value);
  const words = Object.entries(document.words).flatMap(([lang, said]) => {
    const left = Object.entries(said).filter(([english]) => used.has(english));
    return left.length === 0 ? [] : [[lang, Object.fromEntries(left)] as const];
  });
  return { ...document, words: Object.fromEntries(words) };
}

/** What changed between two documents, one sentence each. */
export function describeChanges(
  before: CustomDocument,
  after: CustomDocument,
  labelOf: (model: string) => string,
): readonly Text[] {
  const said: Text[] = [];
  const told = new Set<string>();
  for (const model of new Set([...Object.keys(before.extends), ...Object.keys(after.extends)])) {
    const [old, now] = [before, after].map((each) => fieldsIn(each, model)) as [Fields, Fields];
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (old[name]?.retired !== now[name]?.retired || !old[name] || !now[name]) told.add(name);
      said.push(...describeField(old[name], now[name], labelOf(model)));
    }
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
