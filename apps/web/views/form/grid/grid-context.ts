import { createContext, useContext } from 'react';
import { type ArchField, fieldType, type Line } from '../../../door/index.ts';
import type { Column } from '../../table/columns.ts';
import type { CellPlace } from '../../table/keys.ts';
import type { GridColumns } from './columns.ts';
import type { LineActions } from './use-lines.ts';

/** What rows and cells share; the same object as long as the grid stands. */
export interface GridContext {
  readonly model: string;
  readonly columns: readonly Column[];
  readonly choice: GridColumns;
  readonly actions: LineActions;
  /** Where headings and notes may stand among lines: the choice that tells them, and the column with their words. */
  readonly headings: { readonly field: ArchField; readonly column: number } | null;
  readonly hasGrip: boolean;
  readonly isEditable: boolean;
  /** Whether lines that are there already may be changed. */
  readonly canWrite: boolean;
  readonly canDelete: boolean;
  readonly canCreate: boolean;
  go(place: CellPlace | null): void;
  /** Opens the line with all of its fields; null where the view has no form for it. */
  readonly openLine: ((line: Line) => void) | null;
}

/** Where a new line is begun: a box to tick comes first in many lists, but nobody types into it. */
export function firstColumn({ columns }: Pick<GridContext, 'columns'>): number {
  return Math.max(
    0,
    columns.findIndex(({ field }) => !field.readonly && !fieldType(field.type).isBoolean),
  );
}

/** `section` or `note`; null for a line like any other. */
export function headingKind({ headings }: GridContext, line: Line | undefined): 'section' | 'note' | null {
  const kind = headings ? line?.values[headings.field.name] : null;
  return kind === 'section' || kind === 'note' ? kind : null;
}

const context = createContext<GridContext | null>(null);

export const GridProvider = context.Provider;

export function useGrid(): GridContext {
  const grid = useContext(context);
  if (!grid) throw new Error('This part of a grid stands outside of one.');
  return grid;
}
