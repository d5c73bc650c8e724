import {
  type Arch,
  parseSearch,
  type SearchState,
  type TileArch,
  type TileScreen,
  type ViewProps,
  type WorkspacePayload,
} from '../../door/index.ts';

export type Tile = TileArch<Arch>;

/** A tile whose data is loaded. */
export interface TileProps {
  readonly tile: Tile;
  readonly screen: TileScreen<Arch>;
}

const payloads = new WeakMap<TileScreen<Arch>, WorkspacePayload>();

/** The props of the full-screen view, so that its code can draw the tile. */
export function viewProps({ tile, screen }: TileProps): ViewProps {
  return { workspace: payloadOf(screen), search: searchOf(tile), isLoading: false, isPartial: false };
}

/** Returns the same payload for the same screen, so that memoised results stay valid. */
function payloadOf(screen: TileScreen<Arch>): WorkspacePayload {
  const known = payloads.get(screen);
  if (known) return known;
  const made: WorkspacePayload = {
    ...screen,
    ...{ recordId: 0, formEdit: false, csrfToken: '', viewTabs: [], breadcrumbs: [], defaults: {} },
    ...{ listSearch: '', listSort: '', listOffset: 0, formBaseQuery: '' },
  };
  payloads.set(screen, made);
  return made;
}

const searches = new Map<string, SearchState>();

function searchOf({ query, kind }: Tile): SearchState {
  const key = `${kind} ${query}`;
  const known = searches.get(key);
  if (known) return known;
  const search = parseSearch(query);
  // A figure always shows a line, whatever kind the graph was.
  const made = kind === 'figure' ? { ...search, extra: { ...search.extra, kind: 'line', running: '' } } : search;
  searches.set(key, made);
  return made;
}
