import { createContext, useContext } from 'react';
import {
  type ArchField,
  type MapArch,
  nameOnScreen,
  type RecordValues,
  type SearchState,
  type WorkspacePayload,
} from '../../door/index.ts';
import { type Spot, spotKey } from './clusters.ts';
import type { MapView, Place, Size } from './mercator.ts';

/** What is selected on the map and in the list: a location, and the record there if it is a single one. */
export interface Chosen {
  readonly key: string;
  readonly id: number | null;
}

export interface MapScope {
  readonly workspace: WorkspacePayload;
  readonly map: MapArch;
  readonly search: SearchState;
  readonly records: readonly RecordValues[];
  readonly spots: readonly Spot[];
  readonly view: MapView;
  readonly size: Size;
  readonly colour: ArchField | undefined;
  readonly chosen: Chosen | null;
  /** The location that has the pointer or the focus, in the list or on the map. */
  readonly hovered: string | null;
  readonly route: readonly number[];
  /** The record that the next click on the map places. */
  readonly picking: RecordValues | null;
  choose(chosen: Chosen | null): void;
  hover(key: string | null): void;
  look(view: MapView): void;
  pick(record: RecordValues | null): void;
  setRoute(ids: readonly number[]): void;
}

const context = createContext<MapScope | null>(null);
export const MapProvider = context.Provider;

export function useMap(): MapScope {
  const scope = useContext(context);
  if (!scope) throw new Error('Only inside of a map.');
  return scope;
}

/** Null for a record without a position, or if its position is not loaded. */
export function placeOf({ latitude, longitude }: MapArch, record: RecordValues): Place | null {
  const [north, east] = [record[latitude], record[longitude]];
  return typeof north === 'number' && typeof east === 'number' ? { latitude: north, longitude: east } : null;
}

export function keyOf(map: MapArch, record: RecordValues): string {
  const place = placeOf(map, record);
  return place ? spotKey(place.latitude, place.longitude) : '';
}

export function titleOf({ title }: MapArch, record: RecordValues): string {
  return String(record[title] ?? nameOnScreen(record.display_name));
}

/** East is on the right in every language, but text on the map follows the direction of the page. */
export function readingDirection(): string {
  return document.documentElement.dir || 'ltr';
}

/** The attribution of the map data. */
export function creditOf({ tiles }: MapArch): string {
  return [tiles?.credit, 'Natural Earth', 'GeoNames (CC BY)'].filter(Boolean).join(' · ');
}
