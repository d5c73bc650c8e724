import type { Registry } from '@kontor/orm';
import type { Widgets } from '../grammar/widgets.ts';

export type ReferenceKind = 'action' | 'group' | 'menu' | 'view';

/** What a view is held against. */
export interface CheckContext {
  readonly registry: Registry;
  /** The field widgets there are; those of the client itself when absent. */
  readonly widgets?: Widgets;
  /** The view types that addons bring beside those of the client. */
  readonly viewTypes?: ReadonlySet<string>;
  /** External ids, with their module, of the records of a kind. */
  names(kind: ReferenceKind): ReadonlySet<string>;
}
