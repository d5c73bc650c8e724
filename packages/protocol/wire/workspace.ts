import type { Arch } from './arch.ts';
import type { Values, WireRecord } from './rpc.ts';

export interface ViewTab {
  readonly mode: string;
  readonly label: string;
  readonly href: string;
  readonly active: boolean;
}

/**
 * Answer of `GET /web/wc/workspace`. Its keys are exactly those of the specification; everything else is inside `arch`.
 */
export interface WorkspacePayload {
  readonly actionId: number;
  readonly menuId: string;
  /** One of `viewTypes`, or one of an addon. */
  readonly viewType: string;
  readonly model: string;
  readonly recordId: number;
  readonly formEdit: boolean;
  readonly csrfToken: string;
  readonly arch: Arch;
  readonly records: readonly WireRecord[];
  readonly viewTabs: readonly ViewTab[];
  readonly breadcrumbs: readonly { readonly label: string; readonly href?: string }[];
  readonly listSearch: string;
  readonly listTotal: number;
  readonly listSort: string;
  readonly listOffset: number;
  readonly listFilter: string;
  /**
   * Query that opens the form of the screen, with the search that its pager needs; it contains `id` if a record is
   * shown.
   */
  readonly formBaseQuery: string;
  readonly defaults: Values;
}
