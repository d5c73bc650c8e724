import { createContext, useContext } from 'react';
import {
  type CalendarArch,
  daysOf,
  type Entry,
  type FreeHeld,
  type Grip,
  type Planning,
  type SearchState,
  type Span,
  type SpanFields,
  shadeOf,
  type WorkspacePayload,
} from '../../door/index.ts';

/** A drag of an entry, of one of its ends, or of empty time where a new entry is drawn. */
export interface TimeGrip extends Grip {
  readonly part: 'whole' | 'end' | 'start' | 'new';
  readonly entry: Entry | null;
  /** Where the drag began, as a local time; a new entry begins there. */
  readonly at: number;
  /** In a row of days, not between hours. */
  readonly isOnDays: boolean;
}

export interface CalendarScope {
  readonly workspace: WorkspacePayload;
  readonly calendar: CalendarArch;
  readonly search: SearchState;
  readonly fields: SpanFields;
  readonly planning: Planning;
  readonly held: FreeHeld<TimeGrip, Span> | null;
  /** The new entry that is being created. */
  readonly draft: Span | null;
  readonly now: number;
  readonly canCreate: boolean;
  /** How many entries of a day were not loaded because there are too many. */
  notLoaded(day: string): number;
  create(span: Span): void;
  /** Shows the card of an entry beside it. */
  showCard(entry: Entry, anchor: HTMLElement): void;
  openDay(day: string): void;
}

const context = createContext<CalendarScope | null>(null);
export const CalendarProvider = context.Provider;

export function useCalendar(): CalendarScope {
  const scope = useContext(context);
  if (!scope) throw new Error('Only inside of a calendar.');
  return scope;
}

/** The entries as rendered: a dragged one at its new position. */
export function drawnEntries({ planning, held }: CalendarScope): readonly Entry[] {
  const moved = held?.grip.entry;
  if (!moved || !held.place) return planning.shown;
  return planning.shown.map((entry) => (entry.id === moved.id ? { ...entry, ...held.place, hasEnd: true } : entry));
}

/** The database's counts minus the loaded entries; zero if all are loaded. */
export function countNotLoaded({ dayCounts, from, to }: CalendarArch, { all }: Planning): (day: string) => number {
  if (!dayCounts) return () => 0;
  const loaded = new Map<string, number>();
  for (const entry of all) for (const day of daysOf(entry, from, to)) loaded.set(day, (loaded.get(day) ?? 0) + 1);
  return (day) => Math.max(0, (dayCounts[day] ?? 0) - (loaded.get(day) ?? 0));
}

export function colourOf({ planning }: CalendarScope, entry: Entry): string {
  return shadeOf(entry.record, planning.colour).colour;
}
