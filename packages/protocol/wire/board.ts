import type { WireRecord } from './rpc.ts';

export const tileKinds = ['figure', 'graph', 'pivot', 'list', 'calendar', 'map'] as const;
/** How a tile is drawn. A figure is the total of a graph, with a sparkline. */
export type TileKind = (typeof tileKinds)[number];

/** A board has this many columns; a tile is some of them wide. */
export const boardColumns = 12;
/** The minimum width of a tile, in board columns. */
export const leastTileColumns = 2;
/** The maximum height of a tile, in board rows. */
export const mostTileRows = 4;
/** The maximum number of tiles: each is a separate statement, and no screen fits more. */
export const mostTiles = 60;

/** The number of list rows that fit into a tile. */
export function tileLines(height: number): number {
  return height * 5 - 2;
}

/** What a tile shows of the screen it was made from. `A` is `Arch`. */
export interface TileScreen<A> {
  readonly actionId: number;
  readonly menuId: string;
  readonly viewType: string;
  readonly model: string;
  readonly arch: A;
  readonly records: readonly WireRecord[];
  readonly listTotal: number;
  readonly listFilter: string;
}

/** A tile of a board. */
export interface TileArch<A> {
  readonly id: number;
  /** Empty if the user may not see it. */
  readonly name: string;
  readonly kind: TileKind;
  /** Columns of the board. */
  readonly width: number;
  /** Rows of the board. */
  readonly height: number;
  /** The URL of the original screen, with its search; empty if the user may not open it. */
  readonly query: string;
  /** Null if it failed. */
  readonly screen: TileScreen<A> | null;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface BoardArch<A> {
  readonly tiles: readonly TileArch<A>[];
  /** Whether the user may edit it. */
  readonly isOwn: boolean;
}

/** Boards that the user may read, and the one on the home screen. */
export interface HomeBoards {
  readonly boards: readonly { readonly id: number; readonly name: string }[];
  /** The chosen one, otherwise the first that came with an app; null if there is none. */
  readonly shown: number | null;
}
