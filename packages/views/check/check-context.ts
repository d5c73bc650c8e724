import type { Registry } from '@kontor/orm';

export type ReferenceKind = 'action' | 'group' | 'menu' | 'view';

/** What a view is held against. */
export interface CheckContext {
  readonly registry: Registry;
  /** Names of the field widgets there are; those of the client's own when absent. */
  readonly widgets?: ReadonlySet<string>;
  /** External ids, with their module, of the records of a kind. */
  names(kind: ReferenceKind): ReadonlySet<string>;
}
