import type { Env } from '@kontor/orm';
import type { WireRecord } from '@kontor/protocol';
import {
  baseOf,
  type CheckContext,
  checkView,
  composeStoredView,
  type ReferenceKind,
  type StoredView,
  ViewError,
  type ViewNode,
} from '@kontor/views';
import { AddonError } from '../addon-error.ts';
import type { DataRecord } from './data-record.ts';
import type { ViewCheck } from './view-loader.ts';

const kinds: Readonly<Record<string, ReferenceKind>> = {
  'core.group': 'group',
  'sys.action.window': 'action',
  'sys.menu': 'menu',
  'sys.view': 'view',
};

interface ViewRow extends StoredView {
  readonly isLimited: boolean;
}

/**
 * Holds the actions of the given modules, and every composed view that they or modules upon them have a part in, against
 * the registry: a mistake stops the install.
 */
export async function checkViews(call: ViewCheck): Promise<void> {
  const { env, modules, dependsOf } = call;
  const context = await checkContext(call);
  const views = await readViews(env);
  const isConcerned = dependents(views, modules, dependsOf);
  try {
    for (const record of call.records) if (record.model === 'sys.action.window') checkView(actionNode(record), context);
    const concerned = views.filter((view) => isConcerned(view.module));
    const bases = new Set(concerned.map((view) => baseOf(views, view.id).id));
    for (const base of bases) checkComposed(views, base, call, context);
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    throw new AddonError(error.place, error.problem, error.hint);
  }
}

/** Once with all that inherits, and once as people see it who are in no group. */
function checkComposed(views: readonly ViewRow[], base: number, { dependsOf }: ViewCheck, context: CheckContext): void {
  checkView(composeStoredView(views, base, dependsOf), context);
  if (!views.some((view) => view.isLimited && view.inheritId !== null)) return;
  const open = views.filter((view) => view.id === base || !view.isLimited);
  checkView(composeStoredView(open, base, dependsOf), context);
}

/** Modules that were changed, and those that build on them and may have lost what they build on. */
function dependents(
  views: readonly ViewRow[],
  modules: readonly string[],
  dependsOf: ViewCheck['dependsOf'],
): (module: string) => boolean {
  const known = new Map<string, boolean>(modules.map((module) => [module, true]));
  const isConcerned = (module: string): boolean => {
    const found = known.get(module);
    if (found !== undefined) return found;
    known.set(module, false);
    const concerned = dependsOf(module).some(isConcerned);
    known.set(module, concerned);
    return concerned;
  };
  for (const view of views) isConcerned(view.module);
  return (module) => module !== '' && isConcerned(module);
}

async function readViews(env: Env): Promise<readonly ViewRow[]> {
  const paths = ['key', 'arch', 'inherit_id', 'priority', 'module', 'file', 'line', 'group_ids'];
  const rows = await env.model('sys.view').searchRead([['active', '=', true]], paths);
  return rows.map(toView);
}

function toView(row: WireRecord): ViewRow {
  return {
    id: row.id,
    key: String(row.key ?? ''),
    arch: String(row.arch),
    inheritId: row.inherit_id as number | null,
    priority: row.priority as number,
    module: String(row.module ?? ''),
    file: String(row.file ?? ''),
    line: (row.line as number | null) ?? 1,
    isLimited: (row.group_ids as readonly number[]).length > 0,
  };
}

async function checkContext({ env, widgets, viewTypes }: ViewCheck): Promise<CheckContext> {
  const rows = await env.model('sys.model.data').searchRead(
    [
      ['model', 'in', Object.keys(kinds)],
      ['res_id', '!=', 0],
    ],
    ['model', 'module', 'name'],
  );
  const names = new Map<ReferenceKind, Set<string>>(Object.values(kinds).map((kind) => [kind, new Set()]));
  for (const row of rows) names.get(kinds[String(row.model)] as ReferenceKind)?.add(`${row.module}.${row.name}`);
  return {
    registry: env.registry,
    names: (kind) => names.get(kind) ?? new Set(),
    widgets,
    viewTypes,
  };
}

/** The element that a record of sys.action.window was made from, as far as it is to be checked. */
function actionNode(record: DataRecord): ViewNode {
  const attributes: Record<string, string> = { id: record.id.split('.')[1] as string, label: record.id };
  for (const { name, value } of record.fields) {
    const attribute = name === 'view_mode' ? 'views' : name;
    const isChecked = ['model', 'views', 'domain', 'context', 'order'].includes(attribute);
    if (value.kind === 'text' && isChecked) attributes[attribute] = value.text;
  }
  return { tag: 'action', attributes, text: '', children: [], place: record.place };
}
