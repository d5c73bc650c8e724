import { dependsOf, type Kernel } from '@kontor/kernel';
import type { Actor, Env, Registry } from '@kontor/orm';
import type { Translate } from '@kontor/protocol';
import {
  composeStoredView,
  type DependsOf,
  generateView,
  isViewKind,
  placeOf,
  type ViewNode,
  wordAttributes,
} from '@kontor/views';
import { type Interface, inGroups, viewsKey } from './load-interface.ts';

export interface ViewSources {
  readonly screens: Interface;
  readonly registry: Registry;
  readonly dependsOf: DependsOf;
  readonly actor: Pick<Actor, 'groups'>;
}

interface FoundView {
  readonly node: ViewNode;
  /** Identifies the view; the same for all users who see the same. */
  readonly key: string;
}

const composedViews = new WeakMap<Interface, Map<string, ViewNode>>();

/** The view of a type that was written for the model, with what the user's groups add to it; null if there is none. */
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

/** The same, or a generated view; null if the model has no fields that such a view could show. */
export function findView(sources: ViewSources, model: string, type: string): FoundView | null {
  const stored = findStoredView(sources, model, type);
  if (stored || !isViewKind(type)) return stored;
  const node = generateView(sources.registry.model(model), type, sources.screens.translate);
  return node && { node, key: `${model}/${type}` };
}

/** The source of a user's views. */
export function viewSources({ catalogue }: Kernel, env: Env, screens: Interface): ViewSources {
  const depends = (module: string): readonly string[] => {
    const addon = catalogue.get(module);
    return addon ? dependsOf(addon, catalogue) : [];
  };
  return { screens, registry: env.registry, dependsOf: depends, actor: env.actor };
}

/** A view in another language; each text is translated by the addon that wrote it. */
function translateView(node: ViewNode, translate: Translate): ViewNode {
  const said = wordAttributes.flatMap((name) => {
    const text = node.attributes[name];
    return text === undefined ? [] : [[name, translate(text, placeOf(node, name).addon)] as const];
  });
  return {
    ...node,
    attributes: said.length === 0 ? node.attributes : { ...node.attributes, ...Object.fromEntries(said) },
    text: node.text === '' ? '' : translate(node.text, node.place.addon),
    children: node.children.map((child) => translateView(child, translate)),
  };
}
