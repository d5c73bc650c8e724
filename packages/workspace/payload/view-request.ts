import type { Config } from '@kontor/kernel';
import type { Env, Model } from '@kontor/orm';
import type { Arch, Projection, WireRecord } from '@kontor/protocol';
import type { WindowAction } from '../interface/load-interface.ts';
import type { WorkspaceQuery } from '../query/workspace-query.ts';
import type { SearchState } from './search-state.ts';

/** Everything that is decided before a view's records are read. */
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
  /** Records per page or column, if given. */
  readonly askedLimit: number | null;
}

/** The result of loading a view's records. */
export interface ViewData {
  readonly records: readonly WireRecord[];
  /** The total number of records. */
  readonly total: number;
  /** The fields that were read, if they are more than those of the view. */
  readonly paths?: Projection;
  /** The parts of the arch that depend on the data. */
  readonly arch?: Partial<Arch>;
}
