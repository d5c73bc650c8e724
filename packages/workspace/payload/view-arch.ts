import { type AccessPolicy, type Env, type Field, type Model, mayAccessModel } from '@kontor/orm';
import { type Arch, KontorError, type LruCache, lruCache, text } from '@kontor/protocol';
import { type ArchOutput, toArch, type ViewNode, viewerOf } from '@kontor/views';
import { findStoredView, findView, type ViewSources } from '../interface/find-view.ts';
import { type Interface, inGroups, type WindowAction } from '../interface/load-interface.ts';

/** Archs depend only on views, rights, groups and language, so users with the same groups and language share them. */
const archs = new WeakMap<Interface, WeakMap<AccessPolicy, LruCache<string, ArchOutput>>>();
const maxArchs = 5_000;

/** The description from which the client draws a view of a model, for the user of the env. */
export function viewArch(
  env: Env,
  sources: ViewSources,
  model: string,
  type: string,
  figures: readonly string[] = [],
): ArchOutput {
  const view = findView(sources, model, type);
  if (!view) {
    const { label } = env.registry.model(model);
    throw new KontorError(
      'NOT_FOUND',
      text('{model} has no {type} view, and no fields for one.', { model: label, type }),
      {
        model,
        view_type: type,
      },
    );
  }
  const search = findStoredView(sources, model, 'search');
  const known = archsOf(sources.screens, env.policy);
  const measured = view.node.tag === 'list' ? figuresIn(env.registry.model(model), figures) : [];
  const shown = measured.map(({ field, measure }) => `${field.name}:${measure}`).join();
  const key = [env.registry.version, view.key, search?.key ?? '', groupsKey(env), shown].join('|');
  const kept = known.get(key);
  if (kept) return kept;
  const output = toArch({
    view: withFigures(view.node, measured),
    search: search?.node ?? null,
    registry: env.registry,
    viewer: viewerOf(env),
    translate: sources.screens.translate,
    viewFor: (related, kind) => findStoredView(sources, related, kind)?.node ?? null,
    mayOpen: (action) => mayOpen(env, sources.screens, action),
    targetOf: (action) => actionNamed(sources.screens, action)?.target ?? 'current',
  });
  const made = measured.length === 0 ? output : { ...output, arch: markFigures(output.arch, measured) };
  known.set(key, made);
  return made;
}

interface ShownFigure {
  readonly field: Field;
  readonly measure: 'sum' | 'avg';
}

/** A list has totals and averages under its columns; other measures of its records have no place there. */
function figuresIn({ fields }: Model, names: readonly string[]): readonly ShownFigure[] {
  return names.flatMap((name) => {
    const [path = '', measure] = name.split(':');
    const field = fields.get(path);
    return field?.kind.isNumber && (measure === 'sum' || measure === 'avg') ? [{ field, measure }] : [];
  });
}

/** The columns of figures are always shown, with the figure under them; those that the list lacks come last. */
function withFigures(list: ViewNode, figures: readonly ShownFigure[]): ViewNode {
  let children = list.children;
  for (const { field, measure } of figures) {
    const totalled = (node: ViewNode): ViewNode => {
      const { optional: _optional, invisible: _invisible, sum, avg, ...attributes } = node.attributes;
      const label = (measure === 'sum' ? sum : avg) ?? field.label;
      return { ...node, attributes: { ...attributes, [measure]: label } };
    };
    const isColumn = (node: ViewNode) => node.tag === 'field' && node.attributes.name === field.name;
    const added: ViewNode = { ...list, tag: 'field', attributes: { name: field.name }, text: '', children: [] };
    children = children.some(isColumn)
      ? children.map((node) => (isColumn(node) ? totalled(node) : node))
      : [...children, totalled(added)];
  }
  return figures.length === 0 ? list : { ...list, children };
}

function markFigures(arch: Arch, figures: readonly ShownFigure[]): Arch {
  if (!arch.list) return arch;
  const isFigure = (name: string) => figures.some(({ field }) => field.name === name);
  const columns = arch.list.columns.map((column) => (isFigure(column.name) ? { ...column, isFigure: true } : column));
  return { ...arch, list: { ...arch.list, columns } };
}

function mayOpen(env: Env, screens: Interface, name: string): boolean {
  const action = actionNamed(screens, name);
  const model = action && env.registry.models.get(action.model);
  return (
    action !== undefined &&
    model !== undefined &&
    inGroups(action.groups, env.actor) &&
    mayAccessModel(env, model, 'read')
  );
}

function actionNamed(screens: Interface, name: string): WindowAction | undefined {
  return screens.actions.get(screens.actionIds.get(name) ?? Number(name));
}

function archsOf(screens: Interface, policy: AccessPolicy): LruCache<string, ArchOutput> {
  const byPolicy = archs.get(screens) ?? new WeakMap<AccessPolicy, LruCache<string, ArchOutput>>();
  archs.set(screens, byPolicy);
  const known = byPolicy.get(policy) ?? lruCache<string, ArchOutput>(maxArchs);
  byPolicy.set(policy, known);
  return known;
}

const keys = new WeakMap<ReadonlySet<string>, string>();

function groupsKey({ actor }: Env): string {
  const known = keys.get(actor.groups);
  if (known !== undefined) return known;
  const key = [...actor.groups].sort().join();
  keys.set(actor.groups, key);
  return key;
}
