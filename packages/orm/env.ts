import type { Queryable } from '@kontor/database';
import type { DomainNode, Operation } from '@kontor/protocol';
import type { Registry } from './model/model.ts';
import type { Records } from './records.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** Who acts, and where. */
export interface Actor {
  readonly uid: number;
  /** Keys of every group the user is in, implied ones included. */
  readonly groups: ReadonlySet<string>;
  readonly companyId: number | null;
  readonly companyIds: readonly number[];
  readonly lang: string;
  readonly tz: string;
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
  readonly name: string;
  readonly domain: DomainNode;
  /** Empty: global. */
  readonly groups: readonly string[];
  readonly operations: ReadonlySet<Operation>;
}
/** Access rows and record rules by model, as last read from the database. Immutable; a change makes a new one. */
export interface AccessPolicy {
  readonly access: ReadonlyMap<string, readonly AccessRow[]>;
  readonly rules: ReadonlyMap<string, readonly RuleRow[]>;
}

/** The only handle to data: who acts, under which policy, in which transaction. */
export interface Env {
  readonly registry: Registry;
  readonly db: Queryable;
  readonly actor: Actor;
  readonly uid: number;
  readonly policy: AccessPolicy;
  /** Access and rules are not applied. Only `sudo()` sets it. */
  readonly isSudo: boolean;
  /** The caller is outside the server: readonly fields are refused. */
  readonly isOutside: boolean;
  /** What this transaction changed so far; shared by every env made from this one. */
  readonly work: UnitOfWork;
  /** The instant the unit of work began. */
  readonly now: Date;

  model(name: string): Records;
  sudo(): Env;
  /** The same transaction in another person's name. */
  as(actor: Actor): Env;
  /** The same env for calls that come from outside, or back to server code. */
  outside(isOutside: boolean): Env;
  /** The record behind an external id such as `base.group_user`; throws NOT_FOUND. */
  ref(externalId: string): Promise<number>;
}
