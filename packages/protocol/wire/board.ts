import type { WireRecord } from './rpc.ts';

export const tileKinds = ['figure', 'graph', 'pivot', 'list', 'calendar', 'map'] as const;
/** How a tile is drawn. A figure is the whole of a graph, with the line that led to it. */
export type TileKind = (typeof tileKinds)[number];

/** A board has this many columns; a tile is some of them wide. */
export const boardColumns = 12;
/** The columns of a board that a tile takes at least. */
export const leastTileColumns = 2;
/** The rows of a board that a tile takes at most. */
export const mostTileRows = 4;
/** What a board has at most: each tile is a statement of its own, and more fit on no screen. */
export const mostTiles = 60;

/** Lines of a list that a tile of so many rows has room for. */
export function tileLines(height: number): number {
  return height * 5 - 2;
}

/** What the screen that a tile was taken from shows, as far as the tile shows it. `A` is `Arch`. */
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
  /** Empty where the reader may not know of it. */
  readonly name: string;
  readonly kind: TileKind;
  /** Columns of the board. */
  readonly width: number;
  /** Rows of the board. */
  readonly height: number;
  /** The address of the screen it was taken from, with its search; empty where the reader may not open it. */
  readonly query: string;
  /** Null where it failed. */
  readonly screen: TileScreen<A> | null;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface BoardArch<A> {
  readonly tiles: readonly TileArch<A>[];
  /** Whether the reader may arrange it. */
  readonly isOwn: boolean;
}

/** Boards that a person may read, and the one that home shows. */
export interface HomeBoards {
  readonly boards: readonly { readonly id: number; readonly name: string }[];
  /** The one that was chosen, else the first that came with an app; null where there is none. */
  readonly shown: number | null;
}
