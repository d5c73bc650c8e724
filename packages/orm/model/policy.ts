import { type Domain, type DomainNode, isoWeeks, type Operation, type WeekRule } from '@kontor/protocol';

/** The actor. */
export interface Actor {
  /** The id of the user. */
  readonly uid: number;
  /** Keys of every group the user is in, implied ones included. */
  readonly groups: ReadonlySet<string>;
  /** The active company. */
  readonly companyId: number | null;
  /** Companies that the user may act in. */
  readonly companyIds: readonly number[];
  /**
   * Companies whose records the user has chosen to see at once, the active one first; all are among `companyIds`. Absent:
   * the active one alone.
   */
  readonly shownCompanyIds?: readonly number[];
  /** Such as `de_DE`. */
  readonly lang: string;
  /** Such as `Europe/Berlin`. */
  readonly tz: string;
  /** How companies count weeks, by their ids; by ISO 8601 where one is absent. */
  readonly weeks?: ReadonlyMap<number, WeekRule>;
}

/** How the active company of an env counts weeks. */
export function weeksOf({ actor }: { readonly actor: Actor }): WeekRule {
  return actor.weeks?.get(actor.companyId ?? 0) ?? isoWeeks;
}

export interface AccessRow {
  /** Null: every signed-in user. */
  readonly group: string | null;
  readonly read: boolean;
  readonly write: boolean;
  readonly create: boolean;
  readonly unlink: boolean;
}

export interface RuleRow {
  /** Of its record; absent: it has none. */
  readonly id?: number;
  readonly name: string;
  readonly domain: DomainNode;
  /** Empty: global. */
  readonly groups: readonly string[];
  readonly operations: ReadonlySet<Operation>;
  /**
   * Written by an administrator, not part of a module: it is off while a field that it names is away with its module.
   */
  readonly isCustom?: boolean;
}

/** Access rows and record rules by model, as last read from the database. Immutable; a change creates a new one. */
export interface AccessPolicy {
  readonly access: ReadonlyMap<string, readonly AccessRow[]>;
  readonly rules: ReadonlyMap<string, readonly RuleRow[]>;
}

/** The scope of an API key. It limits what its holder names; server code that runs for them acts as the owner. */
export interface Scope {
  /** Equal for equivalent scopes. */
  readonly key: string;
  covers(model: string, operation: Operation): boolean;
  /** Which records of a model it covers; null: all. */
  domain(model: string): DomainNode | null;
  hasField(model: string, field: string): boolean;
}

/** Somebody who is no user, such as a customer on their page: they read exactly what is named, and change nothing. */
export interface Visitor {
  /** Companies whose records they may see. */
  readonly companyIds: readonly number[];
  /** Such as `de_DE`. */
  readonly lang: string;
  /** Such as `Europe/Berlin`. */
  readonly tz: string;
  /** The records and fields that they may read, by model; no domain: all records. */
  readonly reads: ReadonlyMap<string, { readonly domain?: Domain; readonly fields: ReadonlySet<string> }>;
}
