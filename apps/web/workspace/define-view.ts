import type { WorkspacePayload } from '@kontor/protocol';
import type { ComponentType } from 'react';
import type { DiscussionProps } from '../data/chatter.ts';
import type { Panel } from '../data/form/record-panels.ts';
import type { SearchState } from '../search/search-state.ts';

/** The props of a view: the records, the search, and whether newer data is loading. */
export interface ViewProps {
  readonly workspace: WorkspacePayload;
  /** The state in the URL. Change it with `navigate(toHref(refine(search, { … })))`. */
  readonly search: SearchState;
  /** Newer data is loading; the current data may be dimmed, never removed. */
  readonly isLoading: boolean;
  /** Rendered from memory: keys that a record lacks are not loaded yet. */
  readonly isPartial: boolean;
}

export interface ViewDefinition {
  /** As in the workspace's `viewType`. */
  readonly type: string;
  readonly label: string;
  /** An icon name. */
  readonly icon: string;
  /**
   * The list is part of the first load. Every other view is its own chunk; the form's chunk is fetched as soon as there
   * are rows.
   */
  readonly component?: ComponentType<ViewProps>;
  readonly load?: () => Promise<ComponentType<ViewProps>>;
  /** Forms only: renders a record that is open beside another view. */
  readonly loadPanel?: () => Promise<ComponentType<PanelProps>>;
  /** Forms only: the discussion of a record, without the form. */
  readonly loadDiscussion?: () => Promise<ComponentType<DiscussionProps>>;
}

export interface PanelProps {
  readonly panel: Panel;
}
