import type { WorkspacePayload } from '@kontor/protocol';
import type { ComponentType } from 'react';
import type { Panel } from '../data/form/record-panels.ts';
import type { SearchState } from '../search/search-state.ts';

/** What a view gets: the records, what is looked for, and whether more is on its way. */
export interface ViewProps {
  readonly workspace: WorkspacePayload;
  /** What the URL says. Change it with `navigate(toHref(refine(search, { … })))`. */
  readonly search: SearchState;
  /** Newer data are on their way; what is here may be dimmed, never taken away. */
  readonly isLoading: boolean;
  /** Drawn from memory: keys that a record lacks are not loaded yet. */
  readonly isPartial: boolean;
}

export interface ViewDefinition {
  /** As in the workspace's `viewType`. */
  readonly type: string;
  readonly label: string;
  /** Name of an icon. */
  readonly icon: string;
  /** The list is part of the first load; every other view is a chunk of its own, and that of the form is fetched as soon as rows are there. */
  readonly component?: ComponentType<ViewProps>;
  readonly load?: () => Promise<ComponentType<ViewProps>>;
  /** Of the form: how it draws a record that is open beside another view. */
  readonly loadPanel?: () => Promise<ComponentType<PanelProps>>;
}

export interface PanelProps {
  readonly panel: Panel;
}
