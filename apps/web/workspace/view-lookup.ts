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
const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>> = nothing) =>
  lazyComponent<P>(load).Component;

export function addView(definition: ViewDefinition): void {
  const { component, load = nothing } = definition;
  const lazy = component ? { Component: component, preload: () => {} } : lazyComponent(load, waiting);
  views.add(definition.type, {
    definition,
    // biome-ignore lint/correctness/noComponentHookFactories: called once per view, when the registries are filled.
    Component: memo(lazy.Component),
    Panel: lazyPart<PanelProps>(definition.loadPanel),
    Discussion: lazyPart<DiscussionProps>(definition.loadDiscussion),
    preload: lazy.preload,
  });
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
