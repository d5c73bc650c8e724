import type { Domain } from '../domain/tree.ts';
import type { Operation } from '../errors.ts';

/** Data of the screen `GET /web/settings/rights`. */
export interface RightsScreenData {
  /** Models that the reader may read, by label. */
  readonly models: readonly { readonly name: string; readonly label: string }[];
  /** Null: none is chosen. */
  readonly model: ModelRights | null;
  /** Null: nobody is chosen. */
  readonly person: PersonRights | null;
}

/** Who sees and does what with the records of a model. */
export interface ModelRights {
  readonly name: string;
  readonly label: string;
  /** It was added in the browser, and the reader may change who may do what. */
  readonly mayChange: boolean;
  /** The reader may open access rights and record rules of the settings. */
  readonly isAdministrator: boolean;
  readonly groups: readonly GroupRights[];
  /** Groups with rights that the reader may not see. */
  readonly hiddenGroups: number;
  /** Null: the reader may not read record rules. */
  readonly rules: readonly RuleOfModel[] | null;
  /** The paths that the rules name. */
  readonly paths: readonly RightsPath[];
  /** People see the records of their companies, and those without a company. */
  readonly hasCompany: boolean;
  /** What its records are part of, and seen and changed with; null: nothing. */
  readonly whole: string | null;
  /** Fields that only some groups see. */
  readonly fields: readonly { readonly label: string; readonly groups: readonly string[] }[];
  /** Moves and actions that only some groups do. */
  readonly moves: readonly {
    readonly label: string;
    readonly from: readonly string[];
    readonly groups: readonly string[];
  }[];
}

/** A group with access rows, and what its members may do, also by the groups that it implies. */
export interface GroupRights {
  /** Null: everybody who can sign in. */
  readonly id: number | null;
  readonly name: string;
  readonly rights: Readonly<Record<Operation, readonly RightSource[]>>;
  /** Groups whose members belong to it. */
  readonly impliedBy: readonly string[];
}

/** An access row that gives a right. */
export interface RightSource {
  /** The app; empty: an administrator added it. */
  readonly app: string;
  /** The implied group that has it; empty: the group itself. */
  readonly through: string;
}

/** A path in domains of rules, as a field. */
export interface RightsPath {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly selection?: readonly (readonly [string, string])[];
}

export interface RuleOfModel {
  readonly id: number;
  readonly name: string;
  /** Empty: everybody. */
  readonly groups: readonly string[];
  readonly operations: readonly Operation[];
  readonly domain: Domain;
  /** The app; empty: an administrator added it. */
  readonly app: string;
  /** Off while the app of its group or of a field is not installed. */
  readonly isOff: boolean;
}

/** What a person sees of a model and may do with it. */
export interface PersonRights {
  readonly id: number;
  readonly name: string;
  /** Archived people cannot sign in, and may do nothing. */
  readonly isActive: boolean;
  readonly groups: readonly {
    readonly name: string;
    /** Groups of the person that imply it; empty: the person is a member. */
    readonly through: readonly string[];
  }[];
  /** The groups that give each right; empty: they may not. */
  readonly rights: Readonly<Record<Operation, readonly string[]>>;
  /** Ids of the rules that bind them; null: the reader may not read record rules. */
  readonly rules: readonly number[] | null;
  /** Fields that they do not see. */
  readonly hiddenFields: readonly string[];
  readonly moves: readonly { readonly label: string; readonly from: readonly string[]; readonly isOffered: boolean }[];
  /** Of the records that the reader may read; null: see `refusal`. */
  readonly count: RecordCount | null;
  /** Why records are not counted and compared. */
  readonly refusal: string;
  /** Null: no record was named. */
  readonly record: RecordRights | null;
}

export interface RecordCount {
  readonly seen: number;
  readonly of: number;
  /** Only so many were counted. */
  readonly isCut: boolean;
}

export interface RecordRights {
  readonly id: number;
  readonly name: string;
  readonly rights: readonly {
    readonly operation: Operation;
    readonly may: boolean;
    /** Why not, one sentence each. */
    readonly reasons: readonly string[];
  }[];
}
