import type { Env, Model } from '@kontor/orm';
import { type Text, text } from '@kontor/protocol';
import {
  type CheckContext,
  checkView,
  clientWidgets,
  composeStoredView,
  composeView,
  openXml,
  type ReferenceKind,
  ViewError,
  type ViewNode,
} from '@kontor/views';
import type { AssembledModules } from '../assemble-modules.ts';
import { ownViewTypes } from '../browser/client-names.ts';
import type { Catalogue } from '../catalogue.ts';
import type { DataRecord } from '../data/data-record.ts';
import { loadRecords } from '../data/load-records.ts';
import { removeRecords } from '../data/remove-records.ts';
import type { ViewCheck } from '../data/view-loader.ts';
import { checkContext, readViews, referenceKinds, type ViewRow } from '../data/xml-view-loader.ts';
import type { InstallContext } from '../install-context.ts';
import { type CustomDocument, customModule } from './document.ts';
import type { DocumentProblem } from './document-reader.ts';
import { inheritNode, stepsRecord } from './load-document.ts';
import { type KnownIds, modelRecords } from './model-screens.ts';
import type { CustomView, ViewStep } from './view-steps.ts';

/** What checks of views need to know about the modules. */
export function viewsOf(
  { definitions }: Pick<AssembledModules, 'definitions'>,
  catalogue: Catalogue,
  env: Env,
): Omit<ViewCheck, 'modules' | 'records'> {
  const own = [...definitions.values()].flatMap((definition) => Object.entries(definition.widgets));
  return {
    env,
    dependsOf: (module) => catalogue.get(module)?.manifest.depends ?? [],
    widgets: new Map([...clientWidgets, ...own]),
    viewTypes: new Set(ownViewTypes({ definitions }).keys()),
  };
}

export interface FittedViews {
  readonly views: readonly CustomView[];
  readonly problems: readonly DocumentProblem[];
}

/** The files of modules whose views are not in the database yet. */
export interface NextFiles {
  readonly modules: readonly string[];
  readonly records: readonly DataRecord[];
}

/**
 * The steps that can be applied to the views that are there now. After an upgrade the anchor of a step may be gone: the step is left out
 * and reported, and the view still opens.
 */
export async function fitViews(
  check: Omit<ViewCheck, 'modules' | 'records'>,
  document: CustomDocument,
  next: NextFiles = { modules: [], records: [] },
): Promise<FittedViews> {
  if (document.views.length === 0) return { views: [], problems: [] };
  await openXml();
  const context = withNames(await checkContext({ ...check, modules: [], records: [] }), next.records);
  const stored = (await readViews(check.env)).filter(
    ({ module, inheritId }) => module !== customModule || inheritId === null,
  );
  const rows = withFiles(stored, next);
  const problems: DocumentProblem[] = [];
  const views = document.views.flatMap((view) => {
    const base = rows.find(({ key }) => key === view.view);
    if (!base) {
      problems.push({ at: view.view, message: text('There is no view {view}.', { view: view.view }) });
      return [];
    }
    const shipped = composeStoredView(rows, base.id, check.dependsOf);
    const steps = fitSteps(shipped, context, view, problems);
    return steps.length === 0 ? [] : [{ ...view, steps }];
  });
  return { views, problems };
}

/** The views of these modules as an upgrade would store them, and the stored ones of all others. */
function withFiles(stored: readonly ViewRow[], { modules, records }: NextFiles): readonly ViewRow[] {
  const changed = new Set(modules);
  const known = new Map(stored.map(({ key, id }) => [key, id]));
  const views = records.filter(({ model }) => model === 'sys.view');
  for (const [index, { id }] of views.entries()) if (!known.has(id)) known.set(id, -1 - index);
  const rows = views.map((record): ViewRow => {
    const value = (name: string) => record.fields.find((each) => each.name === name)?.value;
    const refs = (name: string) => {
      const found = value(name);
      return found?.kind === 'refs' ? found.refs : [];
    };
    const [arch, priority] = [value('arch'), value('priority')];
    const [base] = refs('inherit_id');
    return {
      id: known.get(record.id) as number,
      key: record.id,
      arch: arch?.kind === 'text' ? arch.text : '',
      inheritId: base === undefined ? null : (known.get(base) ?? 0),
      priority: priority?.kind === 'json' ? Number(priority.json) : 16,
      module: record.place.addon,
      ...{ file: record.place.file, line: record.place.line },
      isLimited: refs('group_ids').length > 0,
    };
  });
  return [...stored.filter(({ module }) => !changed.has(module)), ...rows];
}

/** With the actions, menus, groups and views that the files define. */
function withNames(context: CheckContext, records: readonly DataRecord[]): CheckContext {
  const added = (kind: ReferenceKind) =>
    records.filter(({ model }) => referenceKinds[model] === kind).map(({ id }) => id);
  return records.length === 0
    ? context
    : { ...context, names: (kind) => new Set([...context.names(kind), ...added(kind)]) };
}

/** All steps at once, and one by one if that fails; each is applied to the result of those before it, so the cost grows with their number only. */
function fitSteps(
  shipped: ViewNode,
  context: CheckContext,
  { view, steps }: CustomView,
  problems: DocumentProblem[],
): readonly ViewStep[] {
  if ('tag' in applied(shipped, context, { view, steps })) return steps;
  const kept: ViewStep[] = [];
  let composed = shipped;
  for (const step of steps) {
    const next = applied(composed, context, { view, steps: [step] });
    if ('tag' in next) {
      composed = next;
      kept.push(step);
    } else problems.push({ at: view, message: next });
  }
  return kept;
}

/** The view with the steps, or what is wrong with it then. */
function applied(view: ViewNode, context: CheckContext, custom: CustomView): ViewNode | Text {
  try {
    const composed = composeView(view, [inheritNode(custom)]);
    checkView(composed, context);
    return hiddenRequired(context, composed) ?? composed;
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    return text('{problem} {hint}', { problem: error.problem, hint: error.hint ?? '' });
  }
}

/** A form without a field that must have a value could not be saved: neither it nor what it is in may be hidden for good. */
function hiddenRequired({ registry }: CheckContext, form: ViewNode): Text | null {
  const find = (node: ViewNode, model: Model | undefined, isHidden: boolean): Text | null => {
    const hides = node.attributes.invisible === 'true' && node.attributePlaces?.invisible?.addon === customModule;
    const field = node.tag === 'field' ? model?.fields.get(node.attributes.name ?? '') : undefined;
    if ((isHidden || hides) && field?.required && field.spec.default === undefined && field.compute === null)
      return text('"{label}" must have a value, so it cannot be hidden.', { label: field.label });
    const inside = field ? registry.models.get(field.spec.relation ?? '') : model;
    for (const child of node.children) {
      const found = find(child, inside, isHidden || hides);
      if (found) return found;
    }
    return null;
  };
  return form.tag === 'form' ? find(form, registry.models.get(form.attributes.model ?? ''), false) : null;
}

/** The records of the added models: screens, menus, rights and numbers. */
async function recordsOfModels(env: Env, document: CustomDocument): Promise<readonly DataRecord[]> {
  if (document.models === undefined) return [];
  const groups = await env.model('core.group').searchRead([['key', '!=', null]], ['key']);
  const menus = await env.model('sys.model.data').searchRead(
    [
      ['model', '=', 'sys.menu'],
      ['module', '!=', customModule],
      ['res_id', '!=', 0],
    ],
    ['module', 'name'],
  );
  const known: KnownIds = {
    groups: new Set(groups.map(({ key }) => String(key))),
    menus: new Set(menus.map(({ module, name }) => `${module}.${name}`)),
  };
  return modelRecords(document, known);
}

async function load({ tx }: InstallContext, env: Env, records: readonly DataRecord[]) {
  const { vanished } = await loadRecords({ tx, env, module: customModule, modules: [customModule], records });
  return vanished;
}

/**
 * Stores what the document adds as records of the module `custom`, and removes what is gone: first the screens of its models, which its steps may be
 * for, and then the steps that `choose` returns.
 */
export async function loadCustomRecords(
  context: InstallContext,
  freshEnv: () => Env,
  document: CustomDocument,
  choose: () => Promise<readonly CustomView[]>,
): Promise<void> {
  const models = await recordsOfModels(freshEnv(), document);
  if (models.length > 0) await load(context, freshEnv(), models);
  const views = await choose();
  const vanished = await load(context, freshEnv(), [...models, ...views.map(stepsRecord)]);
  if (vanished.length > 0) await removeRecords(context.tx, freshEnv, vanished);
}

/** Fits the customisation to changed modules. */
export async function refitViews(context: InstallContext, assembled: AssembledModules): Promise<void> {
  const { document, published } = assembled.custom;
  if (published.number === 0) return;
  const freshEnv = () => context.envFor(assembled.registry, context.tx).sudo();
  await loadCustomRecords(context, freshEnv, document, async () => {
    const { views } = await fitViews(viewsOf(assembled, context.catalogue, freshEnv()), document);
    return views;
  });
}

/** Takes the steps out, and leaves the records of the added models. */
export async function unloadSteps(
  context: InstallContext,
  { registry, custom }: Pick<AssembledModules, 'registry' | 'custom'>,
): Promise<void> {
  const freshEnv = () => context.envFor(registry, context.tx).sudo();
  await loadCustomRecords(context, freshEnv, custom.document, async () => []);
}
