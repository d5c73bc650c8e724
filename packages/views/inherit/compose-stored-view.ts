import type { ViewNode } from '../view-node.ts';

/** A row of sys.view. */
export interface StoredView {
  readonly id: number;
  /** External id; empty for views that people made. */
  readonly key: string;
  readonly arch: string;
  readonly inheritId: number | null;
  readonly priority: number;
  readonly module: string;
  readonly file: string;
  readonly line: number;
}

/** Names of the modules that a module depends on directly. */
export type DependsOf = (module: string) => readonly string[];

/**
 * The view of that id with everything among `views` that inherits from it, directly or through another inherit. An inherit
 * comes after those of the modules its own depends on; then priority, then the id decide. Throws ViewError.
 */
export function composeStoredView(_views: readonly StoredView[], _id: number, _dependsOf: DependsOf): ViewNode {
  throw new Error('Under construction.');
}
