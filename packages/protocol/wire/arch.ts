import type { WorkCalendar } from '../analysis/work-calendar.ts';
import type { DayRange } from '../calendar.ts';
import type { Domain } from '../domain/tree.ts';
import type { Aggregate } from '../field-types.ts';
import type { BoardArch } from './board.ts';
import type { CalendarMode, GanttArch } from './planning-arch.ts';
import type { Answer, CohortRow, CohortSpec, GroupMeasure, GroupRow, MoneyTotal } from './rpc.ts';
import type { SearchArch } from './search-arch.ts';

/** What the client draws from. The browser never parses XML; everything a person may not see is already left out. */
export const viewTypes = ['list', 'form', 'kanban', 'graph', 'pivot', 'calendar', 'gantt', 'map', 'cohort'] as const;
export type ViewType = (typeof viewTypes)[number];

/** Always, never, or while a domain holds of the record on screen. */
export type Condition = boolean | Domain;

export type Selection = readonly (readonly [value: string, label: string])[];

/** One field of the model, as far as this view uses it. */
export interface ArchField {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly help?: string;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly stored: boolean;
  readonly sortable: boolean;
  readonly searchable: boolean;
  readonly groupable: boolean;
  readonly relation?: string;
  /** What the person may do with records of the related model. */
  readonly related?: import('./related.ts').RelatedRights;
  readonly inverse?: string;
  readonly selection?: Selection;
  readonly domain?: Domain;
  /** The field that holds the currency, for monetary. */
  readonly currency?: string;
  readonly aggregate?: Aggregate;
  /** A day without a time means its end. */
  readonly isEnd?: true;
  readonly size?: number;
  readonly format?: import('../text-format.ts').TextFormat;
  readonly digits?: readonly [digits: number, scale: number];
  readonly min?: number;
  readonly max?: number;
  /** Other fields change when this one does: the client asks `onchange`. */
  readonly onchange: boolean;
}

/** One place where a field stands in a view. What is absent is as the field says. */
export interface FieldNode {
  readonly kind: 'field';
  readonly name: string;
  readonly label?: string;
  readonly nolabel?: boolean;
  readonly help?: string;
  readonly placeholder?: string;
  readonly widget?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly invisible?: Condition;
  readonly readonly?: Condition;
  readonly required?: Condition;
  readonly domain?: Domain;
  readonly colspan?: number;
  /** Rows of an x2many, and the form that opens for one of them. */
  readonly list?: ListArch;
  readonly form?: FormArch;
  /** Fields of the related model that `list` and `form` use. */
  readonly fields?: readonly ArchField[];
}

/** A button of a form. */
export interface ButtonNode {
  readonly kind: 'button';
  readonly name: string;
  readonly label: string;
  /** `object` calls an object action, `action` opens a window action, by external id or id, `client` runs a command of the client. */
  readonly type: 'object' | 'action' | 'client';
  readonly icon?: string;
  readonly primary?: boolean;
  readonly danger?: boolean;
  /** In the menu of a bar, not in the bar. */
  readonly menu?: boolean;
  /** The letter that runs it on the selected records. */
  readonly key?: string;
  readonly confirm?: string;
  /** It sends e-mail, alone or beside something else. */
  readonly mails?: 'only' | 'also';
  readonly invisible?: Condition;
  readonly context?: Readonly<Record<string, unknown>>;
  /** A window action that opens over what is on screen, and not in its place. */
  readonly target?: 'dialog';
  /** Smart buttons show a field beside their label. */
  readonly field?: string;
  /** What a dialog asks for before the action runs; the answers are the `vals` of `call`. */
  readonly asks?: AsksArch;
}

/** A dialog of an action: its fields, and how they are arranged. First values come from `onchange` with `kwargs.action`. */
export interface AsksArch {
  readonly fields: readonly ArchField[];
  readonly children: readonly FormNode[];
}

/** One way from some states to another. */
export interface MoveArch extends Pick<ButtonNode, 'name' | 'label' | 'icon' | 'danger' | 'confirm' | 'asks'> {
  readonly from: readonly string[];
  readonly to: string;
}

/** Where records of the model can be, and the moves between that the person may make. */
export interface StatesArch {
  /** The selection that tells where a record is. */
  readonly field: string;
  /** States in which a record was given up. */
  readonly abandoned?: readonly string[];
  readonly moves: readonly MoveArch[];
  /** Finer steps that people arrange; each belongs to a state. */
  readonly stages?: {
    readonly field: string;
    /** The record's field that says which stages are its own. */
    readonly within?: string;
    /** In their order. Empty in views of neither one record nor columns. */
    readonly steps: readonly StageStep[];
  };
}
export interface StageStep {
  readonly id: number;
  readonly label: string;
  readonly state: string;
  /** Values of the record's `within` field that it is for; absent: for all. */
  readonly within?: readonly number[];
}

/** A part of a form: a group, a page, a field, a button. */
export type FormNode =
  | FieldNode
  | ButtonNode
  | {
      readonly kind: 'group';
      readonly label?: string;
      readonly columns?: number;
      readonly colspan?: number;
      /** Figures that add up, as they stand under a bill. */
      readonly layout?: 'totals';
      readonly invisible?: Condition;
      readonly children: readonly FormNode[];
    }
  | {
      readonly kind: 'notebook';
      readonly pages: readonly {
        readonly name: string;
        readonly label: string;
        readonly invisible?: Condition;
        readonly children: readonly FormNode[];
      }[];
    }
  | { readonly kind: 'separator'; readonly label?: string; readonly invisible?: Condition }
  | { readonly kind: 'text'; readonly text: string; readonly invisible?: Condition };

/** A column of a list. */
export interface ListColumn extends Omit<FieldNode, 'kind' | 'list' | 'form' | 'fields'> {
  /** Columns that a person may switch on or off. */
  readonly optional?: 'show' | 'hide';
  readonly width?: number;
  /** In lines of a form: the column whose cell it shares. */
  readonly cell?: string;
  /** Footer and subtotals. */
  readonly sum?: string;
  /** The list was opened from a figure of this column, so that it is shown even if the person hid it. */
  readonly isFigure?: boolean;
  readonly avg?: string;
}

/** What a list needs. */
export interface ListArch {
  readonly columns: readonly ListColumn[];
  /** Cells can be edited in place; new rows at the top or the bottom. */
  readonly editable?: 'top' | 'bottom';
  readonly create: boolean;
  readonly delete: boolean;
  /** An integer field that keeps the order people drag rows into. */
  readonly handle?: string;
  /** In lines of a form: a choice that tells headings (`section`) and notes (`note`) from lines. */
  readonly sections?: string;
  /** Row looks by condition: `muted`, `bold`, `success`, `warning`, `danger`, `info`. */
  readonly decorations?: readonly { readonly look: string; readonly when: Condition }[];
  readonly buttons: readonly ButtonNode[];
}

export interface FormArch {
  readonly title?: FieldNode;
  readonly subtitle?: readonly FieldNode[];
  readonly avatar?: FieldNode;
  /** Smart buttons beside the title. */
  readonly stats: readonly ButtonNode[];
  readonly children: readonly FormNode[];
  readonly create: boolean;
  readonly edit: boolean;
  readonly delete: boolean;
  readonly duplicate: boolean;
  readonly chatter: boolean;
  /** What a new record begins with: the action's defaults, and what the model makes of them. Absent for one that exists. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** A column of a board, with counts and sums over all of its cards. */
export interface KanbanColumn {
  /** Value of the group field; null for records without one. */
  readonly value: string | number | boolean | null;
  readonly label: string;
  readonly fold: boolean;
  readonly count: number;
  readonly sums: Readonly<Record<string, number | string>>;
  /** The sums by currency, if amounts are converted: those without a rate stay apart. */
  readonly money?: Readonly<Record<string, readonly MoneyTotal[]>>;
}

export interface KanbanArch {
  readonly groupField: string | null;
  readonly draggable: boolean;
  readonly quickCreate: boolean;
  /** Asked for beside the title when a card is made in a column. */
  readonly quickFields?: readonly FieldNode[];
  readonly columns: readonly KanbanColumn[];
  readonly card: {
    readonly title: FieldNode;
    readonly lines: readonly FieldNode[];
    readonly footer: readonly FieldNode[];
    readonly image?: string;
    readonly color?: string;
    /** The window action that a click opens for the record, instead of its form. */
    readonly opens?: string;
    readonly decorations?: readonly { readonly look: string; readonly when: Condition }[];
  };
  /** Fields summed per column. */
  readonly sums: readonly string[];
  /** An integer field that keeps the order within a column. */
  readonly handle?: string;
}

/** What a graph needs. */
export interface GraphArch {
  readonly kind: 'bar' | 'line' | 'area' | 'pie';
  readonly stacked: boolean;
  readonly groupBy: readonly string[];
  readonly measures: readonly MeasureArch[];
  /** With `graphTotals`, and money by currency. */
  readonly rows: readonly GroupRow[];
}
export interface PivotArch {
  readonly rowGroups: readonly string[];
  readonly columnGroups: readonly string[];
  readonly measures: readonly MeasureArch[];
  /** With subtotals of every level of both axes, totals first. */
  readonly rows: readonly GroupRow[];
  /** How many levels of each axis `rows` has; fewer than there are groups where those would be too many. */
  readonly levels: { readonly rows: number; readonly columns: number };
}
/** What a cohort view needs. */
export interface CohortArch {
  readonly start: string;
  readonly stop: string;
  readonly interval: CohortSpec['interval'];
  readonly measure: MeasureArch;
  /** By both dates. */
  readonly rows: readonly GroupRow[];
  /** Who is still there how much later, as `cohort` of a group spec gives it. */
  readonly cells: readonly CohortRow[];
}
/** A measure that a view offers. */
export interface MeasureArch extends GroupMeasure {
  readonly label: string;
}
/** `from` and `to` are the range that `records` covers. */
export interface CalendarArch extends DayRange {
  readonly start: string;
  readonly stop?: string;
  readonly allDay?: string;
  readonly color?: string;
  /** Whose an entry is: people beside the calendar to filter by. */
  readonly people?: string;
  /** How many hours an entry takes: their sums stand beside colours and people. */
  readonly hours?: string;
  /** The choice of what a move is for, asked where an entry has a value of it. */
  readonly scope?: string;
  readonly mode: CalendarMode;
  readonly title: string;
  readonly lines: readonly FieldNode[];
  /** What can be done with an entry from the card beside it. */
  readonly buttons: readonly ButtonNode[];
  readonly decorations?: readonly { readonly look: string; readonly when: Condition }[];
  readonly quickCreate: boolean;
  /** When the company works: other days are shaded. */
  readonly workTime: WorkCalendar;
  /** The day that is looked at; the mode says how much around it. */
  readonly date: string;
  /** How many entries lie on each day, where there are more than `records` holds. */
  readonly dayCounts?: Readonly<Record<string, number>>;
}
/** What a map needs. */
export interface MapArch {
  readonly latitude: string;
  readonly longitude: string;
  readonly title: string;
  readonly lines: readonly FieldNode[];
  readonly color?: string;
  /** Whose position is written, with the mark `byHand`, where the person may: the record's, or that of what `through` leads to. */
  readonly placing?: { readonly model: string; readonly through?: string; readonly byHand?: string };
  /** How many records are at each place, by latitude and longitude; the fullest places first. */
  readonly rows: readonly GroupRow[];
  /** Records that match the search and have no position. */
  readonly unplaced: number;
  /** Which records are on the map, and which match and are not. */
  readonly domains: { readonly placed: Domain; readonly unplaced: Domain };
  /** A server of map tiles, and whom to thank for them. Absent: nothing is fetched from elsewhere. */
  readonly tiles?: { readonly address: string; readonly credit: string };
}

/** How a screen is drawn: its fields, its rights, and what its type of view needs. */
export interface Arch {
  /** One of `viewTypes`, or one that an addon brings. */
  readonly type: string;
  readonly model: string;
  /** The key of personal settings for this screen: the action's external id or id, else the model's name. */
  readonly key?: string;
  /** Where the action opens; absent: in the main area. */
  readonly target?: 'current' | 'dialog';
  /** Name of one record of the model, for titles and buttons. */
  readonly label: string;
  /** Name of the action or the model, for the screen. */
  readonly title: string;
  /** What an empty screen says, as sanitised HTML. */
  readonly help?: string;
  /** What making a record here is called; absent: New and the label. */
  readonly newLabel?: string;
  readonly fields: readonly ArchField[];
  readonly header: { readonly buttons: readonly ButtonNode[]; readonly status?: FieldNode };
  readonly states?: StatesArch;
  readonly search: SearchArch;
  readonly rights: Readonly<Record<'create' | 'copy' | 'write' | 'unlink', boolean>>;
  readonly hasActive: boolean;
  /** Asked for and not kept: a page of settings, a dialog. */
  readonly isTransient?: boolean;
  /** What of the model may be customised; absent: everything. */
  readonly customisable?: 'rights' | 'nothing';
  readonly hasChatter: boolean;
  /** Records of other models belong to the timeline of this one. */
  readonly hasTimeline?: boolean;
  /** Levels of grouping in effect, and the rows of the outermost one, in the shape of `read_group`. */
  readonly groupBy?: readonly string[];
  readonly groups?: readonly GroupRow[];
  /** What the person chose for this list: column order, widths, hidden ones. */
  readonly columns?: {
    readonly order: readonly string[];
    readonly hidden: readonly string[];
    readonly widths: Readonly<Record<string, number>>;
  };
  /** What the records are narrowed to and asked for: hand both to `search_read` to get more of the same. */
  readonly domain?: Domain;
  readonly paths?: readonly unknown[];
  /** Footer of a list over all that matches, by field. */
  readonly totals?: Readonly<Record<string, number | string | null>>;
  /** The same of money by currency, in a list and a kanban: amounts of several currencies have no sum. */
  readonly money?: Readonly<Record<string, readonly MoneyTotal[]>>;
  /** The currency that all amounts of totals are converted into: as it was asked for, and its code. */
  readonly moneyIn?: { readonly asked: string; readonly code: string };
  /** Ids before and after the record of a form in the list it came from. */
  readonly pager?: {
    readonly position: number;
    readonly total: number;
    readonly previous: number | null;
    readonly next: number | null;
  };
  readonly list?: ListArch;
  readonly form?: FormArch;
  readonly kanban?: KanbanArch;
  readonly graph?: GraphArch;
  readonly pivot?: PivotArch;
  readonly calendar?: CalendarArch;
  readonly gantt?: GanttArch;
  readonly map?: MapArch;
  readonly cohort?: CohortArch;
  /** Of the form of a board: what its tiles show. */
  readonly board?: BoardArch<Arch>;
  /** Questions with their answers: a view, or a tile of a board, that has the same question asks nothing. */
  readonly answers?: readonly Answer[];
}
