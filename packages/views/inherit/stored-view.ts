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
