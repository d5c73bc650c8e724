import type { DevViewNode } from './screens.ts';
import type { WorkspacePayload } from './workspace.ts';

/** What the author of a customisation saw: others may have published or changed the draft since. */
export interface CustomiseSeen {
  /** The number of the published revision; 0: none. */
  readonly base: number;
  /** The version of the draft; 0: none. */
  readonly draft: number;
}

/** Answer of `GET /web/customise`: what the dialogs for one model need. */
export interface CustomiseData extends CustomiseSeen {
  readonly model: string;
  readonly label: string;
  /** The fields that customisations added to the model, by name, as the document has them. */
  readonly fields: Readonly<Record<string, CustomFieldData>>;
  /** Fields that were deleted and can still be brought back, with their data until that day. */
  readonly deleted: readonly { readonly name: string; readonly until: string }[];
  /** Changes in the draft, one sentence each. */
  readonly waiting: readonly string[];
  readonly limits: CustomiseLimits;
  readonly languages: readonly { readonly code: string; readonly label: string }[];
  readonly models: readonly { readonly name: string; readonly label: string }[];
  readonly groups: readonly { readonly key: string; readonly label: string }[];
  /** Fields of the model that hold a currency. */
  readonly currencies: readonly { readonly name: string; readonly label: string }[];
  /** Translations that the customisation has, by language and text. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The properties of an added model. */
  readonly added?: AddedModelData;
  /** The fields of an added model, published or not. */
  readonly modelFields?: readonly {
    readonly name: string;
    readonly type: string;
    readonly label: string;
    readonly relation?: string;
  }[];
  /** For an added model: the menus that its own can be under. */
  readonly menus?: readonly { readonly key: string; readonly label: string }[];
  /** For a new model: technical names that it cannot have. */
  readonly taken?: readonly string[];
}

export interface CustomiseLimits {
  readonly models: number;
  readonly fields: number;
  readonly choices: number;
  readonly label: number;
  readonly help: number;
  readonly default: number;
}

/** An added model, as far as the screens show it. */
export interface AddedModelData {
  readonly label: string;
  readonly plural: string;
  readonly icon?: string;
  readonly title?: string;
  readonly shown: readonly string[];
  readonly number?: { readonly prefix: string; readonly digits: number };
  readonly company?: boolean;
  readonly chatter?: boolean;
  readonly archive?: boolean;
  readonly partOf?: { readonly model: string; readonly label: string };
  readonly board?: string;
  readonly calendar?: string;
  readonly menu?: string;
  readonly access: readonly {
    readonly group: string;
    /** The link to people that says which records the group sees; absent: all. */
    readonly only?: string;
    readonly write?: boolean;
    readonly create?: boolean;
    readonly unlink?: boolean;
  }[];
}

/** An added field, as far as the screens show it. */
export interface CustomFieldData {
  readonly type: string;
  readonly label: string;
  readonly help?: string;
  readonly required?: boolean;
  readonly retired?: boolean;
  readonly groups?: readonly string[];
  readonly choices?: readonly { readonly value: string; readonly label: string; readonly look?: string }[];
  readonly relation?: string;
}

/** Answer of `GET /web/customise/uses`: what names an added field. */
export interface CustomiseUse {
  /** What it is, such as a view or a webhook. */
  readonly kind: string;
  readonly name: string;
}

/** Answer of `POST /web/customise/preview`: a screen as it would be after the changes. */
export interface CustomisePreview extends CustomiseSeen {
  /** The external id of the view. */
  readonly view: string;
  readonly workspace: WorkspacePayload;
  /** The elements of the view, with the expressions that find them. */
  readonly root: DevViewNode;
  /** Fields that the screen can show, by label. */
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: string;
    readonly isOwn: boolean;
    readonly isRequired: boolean;
  }[];
  /** Labels of the columns of lines, by path: `line_ids.product_id`. */
  readonly columns: Readonly<Record<string, string>>;
  /** How many steps the view has, published or not. */
  readonly steps: number;
  /** What would be refused or left out. */
  readonly problems: readonly string[];
  readonly words: CustomiseData['words'];
}

/** Answer of `GET /web/customise/formula`. */
export interface FormulaCheck {
  /** What is wrong, and which characters. */
  readonly problem: { readonly message: string; readonly from: number; readonly to: number } | null;
  /** The paths that it reads. */
  readonly reads: readonly string[];
}

/** A condition of moves, or a rule that every record satisfies. */
export interface CustomCheckData {
  readonly name: string;
  readonly formula: string;
  readonly message: string;
  readonly field?: string;
}

/** The states and moves that the customisation has for a model. */
export interface CustomStatesData {
  readonly field: string;
  readonly choices?: readonly { readonly value: string; readonly label: string; readonly look?: string }[];
  readonly initial?: readonly string[];
  readonly removable?: readonly string[];
  readonly abandoned?: readonly string[];
  readonly locks?: readonly { readonly state: string; readonly fields: 'all' | readonly string[] }[];
  readonly conditions?: readonly CustomCheckData[];
  readonly moves?: readonly CustomMoveData[];
  readonly places?: readonly { readonly state: string; readonly x: number; readonly y: number }[];
}

export interface CustomMoveData {
  readonly name: string;
  readonly from?: readonly string[];
  readonly to?: string;
  readonly label?: string;
  readonly needs?: readonly string[];
  readonly sets?: readonly { readonly field: string; readonly value: unknown }[];
  readonly groups?: readonly string[];
  readonly warns?: string;
  readonly danger?: boolean;
}

/** Answer of `POST /web/customise/states`: the states and moves of a model as they would be after the changes. */
export interface CustomiseStatesData extends CustomiseSeen {
  readonly model: string;
  readonly label: string;
  /** The model was added in the browser, so states can begin on it. */
  readonly isAdded: boolean;
  /** The choice with the states; null: it has none. */
  readonly field: { readonly name: string; readonly label: string; readonly isOwn: boolean } | null;
  readonly states: readonly {
    readonly value: string;
    readonly label: string;
    readonly look: string | null;
    readonly isOwn: boolean;
    readonly isInitial: boolean;
    readonly isRemovable: boolean;
    readonly isAbandoned: boolean;
    readonly locks: readonly string[];
    /** Records that the author sees; null: they are not published. */
    readonly count: number | null;
  }[];
  readonly moves: readonly {
    readonly name: string;
    readonly label: string;
    readonly from: readonly string[];
    readonly to: string;
    readonly needs: readonly string[];
    readonly sets: readonly string[];
    readonly groups: readonly string[];
    readonly isDanger: boolean;
    readonly isOwn: boolean;
    /** It does more than change the state. */
    readonly does: boolean;
  }[];
  readonly conditions: readonly {
    readonly name: string;
    readonly message: string;
    readonly formula?: string;
    readonly isOwn: boolean;
  }[];
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly type: string;
    readonly canSet: boolean;
  }[];
  /** What the customisation has of them. */
  readonly own: CustomStatesData | null;
  readonly checks: readonly CustomCheckData[];
  readonly problems: readonly string[];
}

/** Data of the screen `GET /web/settings/customise`. */
export interface CustomiseScreenData extends CustomiseSeen {
  /** Changes in the draft, one sentence each. */
  readonly waiting: readonly string[];
  readonly models: readonly {
    readonly name: string;
    readonly label: string;
    readonly icon: string;
    readonly retired: boolean;
    readonly isPublished: boolean;
    readonly mayChange: boolean;
    readonly fields: number;
  }[];
  /** Models that were deleted and can still be brought back, with their records until that day. */
  readonly deletedModels: readonly { readonly name: string; readonly label: string; readonly until: string }[];
  readonly limits: CustomiseLimits;
  /** Parts of the customisation that do not fit the installed modules and are left out. */
  readonly attention: readonly { readonly at: string; readonly message: string }[];
  /** Fields whose existing records get their values in the background, and how many percent of them have these. */
  readonly filling: readonly { readonly at: string; readonly percent: number }[];
  /** Newest first. */
  readonly revisions: readonly CustomiseRevision[];
}

export interface CustomiseRevision {
  readonly number: number;
  readonly author: string;
  readonly at: string;
  readonly note: string;
  readonly changes: readonly string[];
}

/** What a column of a spreadsheet probably holds. */
export interface ColumnGuess {
  readonly header: string;
  readonly type: string;
  readonly format?: 'email' | 'phone' | 'url';
  /** Its values, if they are few enough for a choice. */
  readonly choices?: readonly string[];
  /** Of a link: the model whose records have these names. */
  readonly relation?: string;
  readonly sure: 'sure' | 'likely' | 'guess';
  /** Some of its values. */
  readonly values: readonly string[];
  /** Rows with a value, among those that were looked at. */
  readonly filled: number;
  readonly different: number;
}

/** Answer of `POST /web/customise/spreadsheet`. */
export interface SpreadsheetGuess {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly total: number;
  readonly columns: readonly ColumnGuess[];
  /** The column with the names of the records; empty: none. */
  readonly title: string;
}
