import { createContext, useContext } from 'react';
import {
  type CalendarArch,
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

/** A hand on an entry, on one of its ends, or on empty time from which a new one is drawn. */
export interface TimeGrip extends Grip {
  readonly part: 'whole' | 'end' | 'start' | 'new';
  readonly entry: Entry | null;
  /** Where the hand took hold, as a local time; a new entry begins there. */
  readonly at: number;
  /** On a row of days and not between hours. */
  readonly isOnDays: boolean;
}

export interface CalendarScope {
  readonly workspace: WorkspacePayload;
  readonly calendar: CalendarArch;
  readonly search: SearchState;
  readonly fields: SpanFields;
  readonly planning: Planning;
  readonly held: FreeHeld<TimeGrip, Span> | null;
  /** What is being made. */
  readonly draft: Span | null;
  readonly now: number;
  readonly canCreate: boolean;
  create(span: Span): void;
  openDay(day: string): void;
}

const context = createContext<CalendarScope | null>(null);
export const CalendarProvider = context.Provider;

export function useCalendar(): CalendarScope {
  const scope = useContext(context);
  if (!scope) throw new Error('Only inside of a calendar.');
  return scope;
}

/** The entries as they are to be drawn: the one that is held where it would go. */
export function drawnEntries({ planning, held }: CalendarScope): readonly Entry[] {
  const moved = held?.grip.entry;
  if (!moved || !held.place) return planning.shown;
  return planning.shown.map((entry) => (entry.id === moved.id ? { ...entry, ...held.place, hasEnd: true } : entry));
}

export function colourOf({ planning }: CalendarScope, entry: Entry): string {
  return shadeOf(entry.record, planning.colour).colour;
}
