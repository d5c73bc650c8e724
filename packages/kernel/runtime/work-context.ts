import type { Database } from '@kontor/database';
import type { AccessPolicy, Env } from '@kontor/orm';
import type { ObserverSpec } from '../addons/define-addon.ts';
import type { Automations } from '../automations/load-automations.ts';
import type { RegistryIn } from '../translations/registries.ts';
import type { SignalName } from './signals.ts';

export interface WorkContext {
  readonly registryIn: RegistryIn;
  readonly policy: AccessPolicy;
  readonly database: Database;
  readonly automations: Automations;
  readonly observers: readonly ObserverSpec[];
  readonly canMail: boolean;
  /** Told when automations set each other off too deep, with the names of those that were not run. */
  readonly onCutOff: (names: readonly string[]) => void;
  /** Told after the commit, so that this and other processes look at what is new. */
  readonly onCommitted: (what: CommittedWork) => void;
}

export interface CommittedWork {
  readonly signals: ReadonlySet<SignalName>;
  /** Mail was put into the queue. */
  readonly hasMail: boolean;
}

export interface WorkOptions {
  readonly isSudo?: boolean;
  readonly isOutside?: boolean;
  readonly requestId?: string | null;
  /** Runs everything, then takes it back. */
  readonly isDryRun?: boolean;
  /** The last thing in the transaction, once the change set is known; there is none in a dry run. */
  readonly beforeCommit?: (env: Env, outcome: { result: unknown; changeSet: number | null }) => Promise<void>;
}
