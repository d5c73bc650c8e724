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
  readonly limits: {
    readonly fields: number;
    readonly choices: number;
    readonly label: number;
    readonly help: number;
    readonly default: number;
  };
  readonly languages: readonly { readonly code: string; readonly label: string }[];
  readonly models: readonly { readonly name: string; readonly label: string }[];
  readonly groups: readonly { readonly key: string; readonly label: string }[];
  /** Fields of the model that hold a currency. */
  readonly currencies: readonly { readonly name: string; readonly label: string }[];
  /** Translations that the customisation has, by language and text. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
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

/** Data of the screen `GET /web/settings/customise`. */
export interface CustomiseScreenData extends CustomiseSeen {
  /** Changes in the draft, one sentence each. */
  readonly waiting: readonly string[];
  /** Parts of the customisation that do not fit the installed modules and are left out. */
  readonly attention: readonly { readonly at: string; readonly message: string }[];
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
