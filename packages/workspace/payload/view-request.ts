import type { Config } from '@kontor/kernel';
import type { Env, Model } from '@kontor/orm';
import type { Arch, Projection, WireRecord } from '@kontor/protocol';
import type { WindowAction } from '../interface/load-interface.ts';
import type { WorkspaceQuery } from '../query/workspace-query.ts';
import type { SearchState } from './search-state.ts';

/** All that is settled before a view's records are read. */
export interface ViewRequest {
  readonly env: Env;
  readonly model: Model;
  readonly action: WindowAction;
  readonly arch: Arch;
  readonly projection: Projection;
  readonly search: SearchState;
  readonly query: WorkspaceQuery;
  readonly config: Config;
  readonly page: { readonly limit: number; readonly offset: number };
  /** Records on a page, or in a column, where somebody said how many. */
  readonly askedLimit: number | null;
}

/** What a view's records came to. */
export interface ViewData {
  readonly records: readonly WireRecord[];
  /** How many there are in all. */
  readonly total: number;
  /** What the records were asked for, where that is more than the view says. */
  readonly paths?: Projection;
  /** What of the arch only the data tell. */
  readonly arch?: Partial<Arch>;
}
