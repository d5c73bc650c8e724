import { createContext, useContext } from 'react';
import type {
  ArchField,
  Entry,
  FreeHeld,
  GanttArch,
  Grip,
  Planning,
  SearchState,
  Span,
  SpanFields,
  WorkspacePayload,
} from '../../door/index.ts';
import type { Link } from './dependencies.ts';
import type { Lane, LaneMove } from './lanes.ts';
import type { TimeAxis } from './time-axis.ts';

export interface BarGrip extends Grip {
  readonly part: 'whole' | 'start' | 'end' | 'link';
  readonly entry: Entry;
  /** Where the drag began, as a local time. */
  readonly at: number;
  /** The group it was dragged from: a bar can be in several. */
  readonly lane: Lane;
}

/** Where a bar would be dropped; for a link, its target entry and the pointer position. */
export interface BarPlace {
  readonly span: Span;
  readonly target: Entry | null;
  /** The group that it would move to, if it is another one. */
  readonly into: LaneMove | null;
  readonly x: number;
  readonly y: number;
}

export interface GanttScope {
  readonly workspace: WorkspacePayload;
  readonly gantt: GanttArch;
  readonly search: SearchState;
  readonly fields: SpanFields;
  readonly planning: Planning;
  readonly axis: TimeAxis;
  readonly now: number;
  readonly held: FreeHeld<BarGrip, BarPlace> | null;
  readonly links: readonly Link[];
  readonly critical: ReadonlySet<number>;
  readonly canLink: boolean;
  readonly people: ArchField | undefined;
  toggle(key: string): void;
  /** Opens a popover with the dependencies of an entry. */
  openLinks(entry: Entry, anchor: HTMLElement): void;
}

const context = createContext<GanttScope | null>(null);
export const GanttProvider = context.Provider;

export function useGantt(): GanttScope {
  const scope = useContext(context);
  if (!scope) throw new Error('Only inside of a gantt.');
  return scope;
}
