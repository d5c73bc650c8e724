import { translateView } from '@kontor/kernel';
import type { Actor, Registry } from '@kontor/orm';
import { composeStoredView, type DependsOf, generateView, isViewKind, type ViewNode } from '@kontor/views';
import { inGroups } from './in-groups.ts';
import { type Interface, viewsKey } from './load-interface.ts';

export interface ViewSources {
  readonly screens: Interface;
  readonly registry: Registry;
  readonly dependsOf: DependsOf;
  readonly actor: Pick<Actor, 'groups'>;
}

export interface FoundView {
  readonly node: ViewNode;
  /** Tells views apart; the same for all who see the same. */
  readonly key: string;
}

const composedViews = new WeakMap<Interface, Map<string, ViewNode>>();

/** The view of a type that somebody wrote for the model, with what this person's groups add to it; null: nobody did. */
export function findStoredView(sources: ViewSources, model: string, type: string): FoundView | null {
  const { screens, dependsOf, actor } = sources;
  const family = screens.views.get(viewsKey(model, type)) ?? [];
  const visible = family.filter((view) => inGroups(view.groups, actor));
  const base = visible.find((view) => view.inheritId === null);
  if (!base) return null;
  const key = `${base.id}:${visible.map((view) => view.id).join()}`;
  const composed = composedViews.get(screens) ?? new Map<string, ViewNode>();
  composedViews.set(screens, composed);
  const node = composed.get(key) ?? translateView(composeStoredView(visible, base.id, dependsOf), screens.translate);
  composed.set(key, node);
  return { node, key };
}

/** The same, or a generated one; null where the model has no fields that such a view could show. */
export function findView(sources: ViewSources, model: string, type: string): FoundView | null {
  const stored = findStoredView(sources, model, type);
  if (stored || !isViewKind(type)) return stored;
  const node = generateView(sources.registry.model(model), type, sources.screens.translate);
  return node && { node, key: `${model}/${type}` };
}
