import type { Env } from '@kontor/orm';
import { type DependsOf, viewKinds, type Widgets } from '@kontor/views';
import type { XmlElement } from 'libxml2-wasm';
import type { ReportMistake } from '../addon-error.ts';
import type { DataRecord } from './data-record.ts';

export const viewTags: readonly string[] = [...viewKinds, 'action', 'menu', 'inherit'];

export interface ViewElement {
  /** One of `viewTags`. */
  readonly tag: string;
  readonly place: DataRecord['place'];
  /** Valid only during the call. */
  readonly element: XmlElement;
}

export interface ViewCheck {
  readonly env: Env;
  /** Modules that were installed or upgraded. */
  readonly modules: readonly string[];
  /** The content of their data files. */
  readonly records: readonly DataRecord[];
  readonly dependsOf: DependsOf;
  readonly widgets: Widgets;
  /** View types of modules, in addition to those of the client. */
  readonly viewTypes: ReadonlySet<string>;
}

/** Turns the view tags of data files into records of sys.view, sys.action.window and sys.menu. */
export interface ViewLoader {
  toRecords(view: ViewElement, report?: ReportMistake): readonly DataRecord[];
  /** Runs once the records of all changed modules are in the database; throws if a composed view has a mistake. */
  check?(call: ViewCheck): Promise<void>;
}
