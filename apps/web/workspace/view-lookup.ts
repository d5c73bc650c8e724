import { type ComponentType, createElement, memo } from 'react';
import type { DiscussionProps } from '../data/chatter.ts';
import type { KeyHelp } from '../navigation/keys.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { createRegistry } from '../state/registry.ts';
import type { PanelProps, ViewDefinition, ViewProps } from './define-view.ts';
import { WorkspaceSkeleton } from './workspace-skeleton.tsx';

interface KnownView {
  readonly definition: ViewDefinition;
  readonly Component: ComponentType<ViewProps>;
  /** Renders a record beside another view; empty if the view cannot. */
  readonly Panel: ComponentType<PanelProps>;
  readonly Discussion: ComponentType<DiscussionProps>;
  preload(): void;
}

const waiting = createElement(WorkspaceSkeleton, { type: '' });
const views = createRegistry<KnownView>('view');

const nothing = async () => () => null;

export function addView(definition: ViewDefinition): void {
  const { component, load, loadPanel, loadDiscussion } = definition;
  const { Component: Panel } = lazyComponent<PanelProps>(loadPanel ?? nothing);
  const { Component: Discussion } = lazyComponent<DiscussionProps>(loadDiscussion ?? nothing);
  if (component) {
    // biome-ignore lint/correctness/noComponentHookFactories: called once per view, when the registries are filled.
    views.add(definition.type, { definition, Component: memo(component), Panel, Discussion, preload: () => {} });
    return;
  }
  if (!load) throw new Error(`The view "${definition.type}" has neither a component nor a way to load one.`);
  const { Component, preload } = lazyComponent(load, waiting);
  // biome-ignore lint/correctness/noComponentHookFactories: as above.
  views.add(definition.type, { definition, Component: memo(Component), Panel, Discussion, preload });
}

export function dropView(type: string): void {
  views.remove(type);
}

/** A view type by its name. */
export function viewOf(type: string): KnownView {
  return views.get(type);
}

/** Whether the client can render a view type; others are not offered. */
export function canDraw(type: string): boolean {
  return views.has(type);
}

/** Fetches the chunks of all views when idle. */
export function preloadViews(): void {
  for (const name of views.names()) views.get(name).preload();
}

/** The keyboard help of addons' views, once their code is loaded. */
export const addonKeys = new Map<string, readonly KeyHelp[]>();
