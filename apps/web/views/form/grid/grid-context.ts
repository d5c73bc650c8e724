import { createContext, useContext } from 'react';
import { type ArchField, type ButtonNode, fieldType, type Line } from '../../../door/index.ts';
import type { Column } from '../../table/columns.ts';
import type { CellPlace } from '../../table/keys.ts';
import type { GridColumns } from './columns.ts';
import type { LineActions } from './use-lines.ts';

/** Shared by rows and cells; the same object while the grid is mounted. */
export interface GridContext {
  readonly model: string;
  readonly columns: readonly Column[];
  readonly choice: GridColumns;
  readonly actions: LineActions;
  /**
   * The selection field that marks headings and notes, and the column with their text; null if lines cannot be
   * headings.
   */
  readonly headings: { readonly field: ArchField; readonly column: number } | null;
  /** Object actions on a line. */
  readonly buttons: readonly ButtonNode[];
  readonly hasGrip: boolean;
  readonly isEditable: boolean;
  /** Whether existing lines can be changed. */
  readonly canWrite: boolean;
  readonly canDelete: boolean;
  readonly canCreate: boolean;
  go(place: CellPlace | null): void;
  /** Opens the line with all of its fields; null if the view has no form for it. */
  readonly openLine: ((line: Line) => void) | null;
}

/** Where typing starts in a new line: not in a checkbox, although many lists begin with one. */
export function firstColumn({ columns }: Pick<GridContext, 'columns'>): number {
  return Math.max(
    0,
    columns.findIndex(({ field }) => !field.readonly && !fieldType(field.type).isBoolean),
  );
}

type Heading = 'section' | 'note';

/** Whether lines of the kind are words across the whole line. */
export function isHeading(kind: unknown): kind is Heading {
  return kind === 'section' || kind === 'note';
}

/** `section` or `note`; null for a regular line. */
export function headingKind({ headings }: GridContext, line: Line | undefined): Heading | null {
  const kind = headings ? line?.values[headings.field.name] : null;
  return isHeading(kind) ? kind : null;
}

/** The name of the kind of a line that is neither regular nor a heading, such as an option; null for others. */
export function otherKind({ headings }: GridContext, line: Line): string | null {
  const kind = headings ? line.values[headings.field.name] : null;
  const at = headings?.field.selection?.findIndex(([value]) => value === kind) ?? -1;
  return at > 0 && !isHeading(kind) ? (headings?.field.selection?.[at]?.[1] ?? null) : null;
}

const context = createContext<GridContext | null>(null);

export const GridProvider = context.Provider;

export function useGrid(): GridContext {
  const grid = useContext(context);
  if (!grid) throw new Error('This part of a grid stands outside of one.');
  return grid;
}
