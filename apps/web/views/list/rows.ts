import type { GroupRow } from '@kontor/protocol';
import type { Money } from '../money.ts';

/** One line of the table, whatever it shows. All lines are equally high. */
export type Row =
  | { readonly kind: 'record'; readonly key: string; readonly id: number; readonly depth: number }
  /** Known to be there, not loaded yet. */
  | { readonly kind: 'wait'; readonly key: string }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly depth: number;
      readonly groupBy: string;
      readonly row: GroupRow;
      readonly isOpen: boolean;
      /** Its sums by currency, where there are several. */
      readonly money?: Money | undefined;
    }
  | {
      readonly kind: 'more';
      readonly key: string;
      readonly depth: number;
      readonly path: string;
      readonly left: number;
    };

/** The lines of a list; those that are not loaded are fetched when they come near the window. */
export interface Rows {
  readonly count: number;
  at(index: number): Row;
  /** Ids that are loaded, in order. */
  readonly ids: readonly number[];
  indexOf(id: number): number;
  /** Tells which lines are in sight. */
  see(first: number, last: number): void;
  toggleGroup(key: string): void;
  loadMore(path: string): void;
  /** Shows a row elsewhere before the server has it there. */
  move(id: number, steps: number): void;
}
