import type { SchemaReport, Transaction } from '@kontor/database';
import type { Env, Registry } from '@kontor/orm';
import type { ModuleState } from '@kontor/protocol';
import type { AssembledModules, CodeOf } from './assemble-modules.ts';
import type { Catalogue } from './catalogue.ts';
import type { PublishedDocument } from './custom/revision-models.ts';
import type { DataRecord } from './data/data-record.ts';
import type { ViewLoader } from './data/view-loader.ts';
import type { AddonDefinition } from './define-addon.ts';

export type InstallState = ModuleState;

/** What a change of modules needs: one transaction (read committed), and access to addons and data within it. */
export interface InstallContext {
  readonly tx: Transaction;
  readonly catalogue: Catalogue;
  readonly codeOf: CodeOf;
  /** Reads the customisation; it is called under the lock of the change. */
  readonly publishedOf?: () => Promise<PublishedDocument>;
  /** The records that an addon's code declares. */
  readonly recordsOf?: (module: string, definition: AddonDefinition) => readonly DataRecord[];
  /** An env on the transaction for the given registry, as the system. Each call creates a new unit of work. */
  readonly envFor: (registry: Registry, tx: Transaction) => Env;
  readonly withDemo?: boolean;
  readonly viewLoader?: ViewLoader;
  /** How long to wait while another process changes modules. */
  readonly waitMs?: number;
}

export interface ModuleReport {
  readonly module: string;
  readonly done: 'installed' | 'upgraded' | 'uninstalled' | 'activated' | 'deactivated';
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: readonly string[];
  readonly kept: readonly { readonly id: string; readonly reason: string }[];
  readonly migrations: readonly string[];
}

/** The result of a change: the modules to serve after the commit, and what was done. */
export interface ModuleChange extends AssembledModules {
  /** Every module afterwards, including those that are not installed. */
  readonly states: ReadonlyMap<string, InstallState>;
  readonly reports: readonly ModuleReport[];
  /** Rows that name a model or a field that no longer exists, one sentence each. */
  readonly broken: readonly string[];
  readonly schema: Pick<SchemaReport, 'done' | 'refused'>;
}
