import type { ErrorCode, Operation } from '../errors.ts';
import type { HomeBoards } from './board.ts';
import type { AppEntry, MenuPlace, SidebarMenu, TopMenu } from './bootstrap.ts';
import type { DayData } from './day.ts';
import type { WireRecord } from './rpc.ts';

/** Data of the screen `GET /web/home`. */
export interface HomeScreenData {
  readonly apps: readonly AppEntry[];
  /** The addresses of the apps, for a shell that was loaded before modules changed. */
  readonly topMenus: readonly TopMenu[];
  readonly pinnedApps: readonly string[];
  /** Every place that a menu leads to, for the palette. */
  readonly menus: readonly MenuPlace[];
  readonly boards: HomeBoards;
  readonly day: DayData;
  /** For administrators, until they put it away or everything is done. */
  readonly steps?: FirstStepsDone;
}

/** Setup steps of a new installation; true: done. */
export interface FirstStepsDone {
  readonly apps: boolean;
  readonly company: boolean;
  readonly people: boolean;
  readonly mail: boolean;
}

/** Data of the screen `GET /web/apps`. */
export interface AppsScreenData {
  readonly modules: readonly CatalogueEntry[];
  readonly categories: readonly string[];
  /** What uninstalling the requested module would remove. */
  readonly uninstall?: UninstallPreview;
  /** The operator lets administrators add addons in the browser. */
  readonly mayAdd: boolean;
}

export type ModuleState = 'uninstalled' | 'installed' | 'inactive';

/** One addon of the catalogue, as the person who installs it wants to know it. */
export interface CatalogueEntry {
  readonly module: string;
  readonly label: string;
  readonly summary: string;
  readonly category: string;
  readonly author: string;
  readonly icon: string;
  readonly version: string;
  readonly application: boolean;
  readonly required: boolean;
  readonly state: ModuleState;
  readonly depends: readonly string[];
  /** Installed modules that depend on it: it cannot be uninstalled while there are any. */
  readonly dependents: readonly string[];
  /** Further modules that an install would add. */
  readonly brings: readonly string[];
  /** Why it cannot be installed, if so. */
  readonly problem?: string;
  /** Its source if it was added by command or in the browser, the SHA-512 of its tarball, and the time. */
  readonly added?: { readonly from: string; readonly integrity: string; readonly at: string };
}

/** What an uninstall removes and what it puts aside, for confirmation. */
export interface UninstallPreview {
  readonly module: string;
  /** Records that go, by model. */
  readonly records: readonly { readonly model: string; readonly count: number }[];
  /** Modules that depend on it and go with it. */
  readonly dependents: readonly string[];
  /** Records of people that are put aside, by what they are called. */
  readonly things: readonly {
    readonly model: string;
    readonly label: string;
    readonly module: string;
    readonly count: number;
  }[];
  /** Tables that are parked with their rows: a reinstall brings them back. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly columns: readonly { readonly table: string; readonly column: string }[];
}

/** Data of the screen `GET /web/settings/app-logs`. */
export interface LogsScreenData {
  /** Newest first. */
  readonly entries: readonly LogRecord[];
  readonly levels: readonly (readonly [value: string, label: string])[];
  readonly filter: LogFilter;
  /** There are older ones: ask again with `before` the last id. */
  readonly more: boolean;
}
export interface LogFilter {
  readonly level: string;
  readonly q: string;
  readonly requestId: string;
}
export type LogRecord = WireRecord & {
  readonly at: string;
  readonly level: string;
  readonly source: string | null;
  readonly message: string;
  readonly request_id: string | null;
  readonly user_id: number | null;
  readonly process: string | null;
};

/** Data of the screen `GET /web/reference`: the models of this database as their reader may use them. */
export interface ReferenceScreenData {
  readonly models: readonly ReferenceEntry[];
  /** The requested model; null if none was requested. */
  readonly model: ReferenceModel | null;
}
export interface ReferenceEntry {
  readonly name: string;
  readonly label: string;
  /** The label of the app that defines it. */
  readonly app: string;
  /** Names and labels of its fields, to search in. */
  readonly words: string;
}
export interface ReferenceModel {
  readonly name: string;
  readonly label: string;
  readonly app: string;
  readonly fields: readonly ReferenceField[];
  readonly actions: readonly ReferenceAction[];
  readonly rights: Readonly<Record<Operation, boolean>>;
  readonly rules: readonly ReferenceRule[];
  readonly examples: readonly ReferenceExample[];
}
export interface ReferenceField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly help: string;
  readonly isRequired: boolean;
  readonly isReadonly: boolean;
  readonly isStored: boolean;
  /** The target of a relation; `isOpen`: the reader may read it. */
  readonly relation: { readonly model: string; readonly label: string; readonly isOpen: boolean } | null;
  readonly choices: readonly (readonly [value: string, label: string])[];
}
export interface ReferenceAction {
  readonly name: string;
  readonly labels: readonly string[];
  readonly isMove: boolean;
  readonly asks: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: string;
    readonly isRequired: boolean;
  }[];
}
/** Why a user can access only some records of a model. */
export type ReferenceRule =
  /** One of all rules that are not `isForAll` is enough. `domain` is for users who may read rules. */
  | {
      readonly kind: 'rule';
      readonly name: string;
      readonly isForAll: boolean;
      readonly operations: readonly Operation[];
      readonly domain: string | null;
    }
  | { readonly kind: 'company' }
  | { readonly kind: 'own' }
  | { readonly kind: 'part'; readonly model: string; readonly label: string };
/** A call of the endpoint with real names; `body` is JSON. */
export interface ReferenceExample {
  readonly method: string;
  readonly body: string;
}

/** Data of the screen `GET /web/settings`. */
export interface SettingsScreenData {
  readonly sections: readonly SidebarMenu[];
  /** What each place is for, by the id of its menu, from the help of its action. */
  readonly about: Readonly<Record<number, string>>;
  readonly isAdmin: boolean;
  readonly facts?: SettingsFacts;
}

/** How things stand, so that an administrator sees where to look without opening each place. */
export interface SettingsFacts {
  readonly company: { readonly id: number; readonly name: string };
  readonly companies: number;
  readonly people: number;
  readonly keys: number;
  readonly languages: number;
  readonly apps: number;
  readonly automations: number;
  readonly mail: { readonly isSetUp: boolean; readonly waiting: number; readonly dead: number };
  readonly jobs: { readonly active: number; readonly failing: number };
  /** Errors of the last day. */
  readonly errors: number;
}

/** Data of the screen `error`: the request failed with this. */
export interface ErrorScreenData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly requestId: string;
}

/** A field that a column of a file can be mapped to. */
export interface ImportTarget {
  /** `email`; of a field of lines `line_ids/quantity`. */
  readonly name: string;
  readonly label: string;
  readonly type: string;
  /** A new record requires a value for it and has no default. */
  readonly required: boolean;
  /** Records can be found by it. */
  readonly unique: boolean;
  /** What files may call it: its label in the languages that are active, and known words for it. */
  readonly words?: readonly string[];
  /** Of a relation: the model that it leads to. */
  readonly relation?: string;
  /** For relations: a missing record can be created from its name. */
  readonly canCreate?: boolean;
  readonly selection?: readonly (readonly [value: string, label: string])[];
  /** For fields of lines: the field with the lines. It is required only if another column of the lines is mapped. */
  readonly lines?: string;
}

/** How the field of a column was recognised: by its name or label, by another name that files have for it, or by a similar one. */
export interface ImportGuess {
  readonly field: string;
  readonly by: 'same' | 'known' | 'similar';
}

/** A cell that cannot be taken. */
export interface BadCell {
  /** As a spreadsheet counts: the header is row 1; 0 for the file as a whole. */
  readonly row: number;
  /** The header of the column; the field's name if no column is mapped to it, and empty for the row as a whole. */
  readonly column: string;
  readonly message: string;
}

/** The same mistake in many rows. */
export interface ImportProblem {
  readonly column: string;
  readonly message: string;
  /** The content of the cells; null if no column is to blame. */
  readonly value: string | null;
  /** How many rows have it. */
  readonly count: number;
  /** The first of them. */
  readonly rows: readonly number[];
  /** `missing`: it could be created; `duplicate`: a record or an earlier row has it; `invalid`: no address, number or account. */
  readonly kind?: 'missing' | 'duplicate' | 'invalid';
  /** Of a duplicate: the record that is there; null: the row of the file before it. */
  readonly record?: string | null;
}

/**
 * How to treat all cells of a column with a value: another value, a new record with that name, empty, skip the row. For duplicates: update
 * the record that is there, take the first row alone, or create a record for each row.
 */
export type ImportFix =
  | { readonly use: string; readonly label?: string }
  | { readonly create: true }
  | { readonly empty: true }
  | { readonly skip: true }
  | { readonly update: true }
  | { readonly first: true }
  | { readonly keep: true };

/** In place of a value: all missing records, or all duplicates, of the column, and all invalid values. */
export const everyValue = '*';
export const everyInvalid = '!';

/** By column, then by value. */
export type ImportFixes = Readonly<Record<string, Readonly<Record<string, ImportFix>>>>;

/** A change that a user made with one call, and how to revert it. */
export interface OwnChange {
  readonly id: number;
  /** The change sets to revert together: to undo the change, or to redo it once it is undone. */
  readonly tips: readonly number[];
  /** The agent that did it in the person's name. */
  readonly agent: string | null;
  /** The task of an agent: all changes of a task are shown as one. */
  readonly task: string | null;
  readonly at: string;
  /** When it was undone; null: it is in effect. */
  readonly undoneAt: string | null;
  readonly model: string;
  /** What such a record is called. */
  readonly label: string;
  readonly operation: 'create' | 'write' | 'unlink';
  readonly count: number;
  /** The name of the record, if it is a single one and may be read. */
  readonly name: string;
  /** Labels of the fields that were changed. */
  readonly fields: readonly string[];
}

/** One thing that is wrong with an addon in development, and what to do. */
export interface DevMistake {
  /** From where the server was started. */
  readonly path: string;
  readonly line: number;
  readonly message: string;
  /** Empty if unknown. */
  readonly fix: string;
}

/** Data of `GET /web/dev/view`: the view on screen, where its elements come from, and how an extension finds them. */
export interface DevView {
  /** The external id; empty for a generated view. */
  readonly view: string;
  readonly extensions: readonly string[];
  readonly root: DevViewNode;
}

export interface DevViewNode {
  readonly tag: string;
  readonly name: string | null;
  /** In the language of the reader. */
  readonly label: string | null;
  /** The opening tag. */
  readonly written: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Finds this element and no other. */
  readonly xpath: string;
  /** Addon, file, line and extension; empty in a generated view. */
  readonly origin: string;
  /** Attributes that an extension set. */
  readonly changes: readonly { readonly attribute: string; readonly origin: string }[];
  readonly children: readonly DevViewNode[];
}

/** Data of `GET /web/dev/round`: what `kontor dev` found when files were saved last. No mistake: they are served. */
export interface DevRound {
  readonly round: number;
  readonly mistakes: readonly DevMistake[];
}
