import type { Env } from '@kontor/orm';
import type { XmlElement } from 'libxml2-wasm';
import type { DataRecord } from './data-record.ts';

export const viewTypes = [
  'list',
  'form',
  'kanban',
  'graph',
  'pivot',
  'calendar',
  'gantt',
  'map',
  'cohort',
  'search',
] as const;
export const viewTags = [...viewTypes, 'action', 'menu', 'inherit'] as const;
export type ViewTag = (typeof viewTags)[number];

export interface ViewElement {
  readonly tag: ViewTag;
  readonly place: DataRecord['place'];
  /** Lives only as long as the call. */
  readonly element: XmlElement;
}

/** Turns the view tags of data files into records of sys.view, sys.action.window and sys.menu. */
export interface ViewLoader {
  toRecords(view: ViewElement): readonly DataRecord[];
  /** Runs once the records of one addon are in the database; throws where composed views do not hold together. */
  check?(call: { readonly env: Env; readonly addon: string; readonly records: readonly DataRecord[] }): Promise<void>;
}
