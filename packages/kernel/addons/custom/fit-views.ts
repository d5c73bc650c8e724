import type { Env, Model } from '@kontor/orm';
import { type Text, text } from '@kontor/protocol';
import {
  type CheckContext,
  checkView,
  clientWidgets,
  composeStoredView,
  type DependsOf,
  openXml,
  ViewError,
  writeXml,
} from '@kontor/views';
import type { AssembledModules } from '../assemble-modules.ts';
import { ownViewTypes } from '../browser/client-names.ts';
import type { Catalogue } from '../catalogue.ts';
import { loadRecords } from '../data/load-records.ts';
import { removeRecords } from '../data/remove-records.ts';
import type { ViewCheck } from '../data/view-loader.ts';
import { checkContext, readViews, type ViewRow } from '../data/xml-view-loader.ts';
import type { InstallContext } from '../install-context.ts';
import { type CustomDocument, type CustomView, customModule, type DocumentProblem, type ViewStep } from './document.ts';
import { inheritNode, viewRecord } from './load-document.ts';

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

/**
 * The steps that can be applied to the views that are there now. After an upgrade the anchor of a step may be gone: the step is left out
 * and reported, and the view still opens.
 */
export async function fitViews(
  check: Omit<ViewCheck, 'modules' | 'records'>,
  document: CustomDocument,
): Promise<FittedViews> {
  if (document.views.length === 0) return { views: [], problems: [] };
  await openXml();
  const context = await checkContext({ ...check, modules: [], records: [] });
  const rows = (await readViews(check.env)).filter(({ module }) => module !== customModule);
  const problems: DocumentProblem[] = [];
  const views = document.views.flatMap((view) => {
    const base = rows.find(({ key }) => key === view.view);
    if (!base) {
      problems.push({ at: view.view, message: text('There is no view {view}.', { view: view.view }) });
      return [];
    }
    const steps = fitSteps({ rows, base, context, dependsOf: check.dependsOf }, view, problems);
    return steps.length === 0 ? [] : [{ ...view, steps }];
  });
  return { views, problems };
}

interface Composing {
  readonly rows: readonly ViewRow[];
  readonly base: ViewRow;
  readonly context: CheckContext;
  readonly dependsOf: DependsOf;
}

function fitSteps(at: Composing, { view, steps }: CustomView, problems: DocumentProblem[]): readonly ViewStep[] {
  if (problemWith(at, { view, steps }) === null) return steps;
  const kept: ViewStep[] = [];
  for (const step of steps) {
    const problem = problemWith(at, { view, steps: [...kept, step] });
    if (problem === null) kept.push(step);
    else problems.push({ at: view, message: problem });
  }
  return kept;
}

function problemWith({ rows, base, context, dependsOf }: Composing, view: CustomView): Text | null {
  const arch = writeXml(inheritNode(view));
  const row: ViewRow = { ...base, id: 0, key: '', arch, inheritId: base.id, priority: 1_000_000, module: customModule };
  try {
    const composed = composeStoredView([...rows, row], base.id, dependsOf);
    checkView(composed, context);
    const model = context.registry.models.get(composed.attributes.model ?? '');
    return model ? hiddenRequired(model, view.steps) : null;
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    return text('{problem} {hint}', { problem: error.problem, hint: error.hint ?? '' });
  }
}

/** A form without a field that must have a value could not be saved. */
function hiddenRequired(model: Model, steps: readonly ViewStep[]): Text | null {
  for (const step of steps) {
    if (step.position !== 'attributes' || !('invisible' in step.attributes)) continue;
    const field = model.fields.get(/^\/\/field\[@name='([a-z0-9_]+)'\]$/.exec(step.expr)?.[1] ?? '');
    if (field?.required && field.spec.default === undefined && field.compute === null)
      return text('"{label}" must have a value, so it cannot be hidden.', { label: field.label });
  }
  return null;
}

/** Stores the fitting steps as records of the module `custom`, and removes those that are gone; with none, all of them. */
export async function loadCustomViews(
  context: InstallContext,
  freshEnv: () => Env,
  views: readonly CustomView[],
): Promise<void> {
  const { tx } = context;
  const records = views.map(viewRecord);
  const { vanished } = await loadRecords({
    tx,
    env: freshEnv(),
    module: customModule,
    modules: [customModule],
    records,
  });
  if (vanished.length > 0) await removeRecords(tx, freshEnv, vanished);
}

/** Fits the views of the customisation to changed modules. */
export async function refitViews(context: InstallContext, assembled: AssembledModules): Promise<void> {
  const { document, published } = assembled.custom;
  if (published.number === 0) return;
  const freshEnv = () => context.envFor(assembled.registry, context.tx).sudo();
  const { views } = await fitViews(viewsOf(assembled, context.catalogue, freshEnv()), document);
  await loadCustomViews(context, freshEnv, views);
}
