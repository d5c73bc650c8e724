export const pageMargin = 50;
/** Of A4, in points. */
export const pageWidth = 595.28;
/** Between the columns of a table. */
export const tableGap = 8;
export const sheetColours = { text: '#1b1b22', muted: '#6b6b76', line: '#d8d8de', accent: '#1f6f5c' } as const;
export type Colour = keyof typeof sheetColours;

export interface TextStyle {
  /** In points; 9.5 by default. */
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: Colour;
  readonly align?: 'left' | 'right';
  /** Longer text wraps. */
  readonly width?: number;
}

/** A text that starts at `x`, by default at the left edge. */
export interface PlacedStyle extends TextStyle {
  readonly x?: number;
}

/** The area of a picture, which is scaled to fit. Without `y` it begins at the current height. */
export interface Place {
  readonly x: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
  readonly align?: 'left' | 'right';
}

export interface TableColumn {
  readonly label: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
}

export interface CarriedFile {
  readonly name: string;
  readonly mimetype: string;
  readonly description: string;
  readonly content: Uint8Array;
  /** What the file is to the pages: the same content in another form, or data behind them. */
  readonly relationship: 'Alternative' | 'Data';
  /** Further descriptions for the XMP metadata, as RDF. */
  readonly metadata: string;
}

/** A document to print, as plain data that can go to another thread. */
export interface SheetSpec {
  readonly title: string;
  readonly author: string;
  readonly lang: string;
  /** The day on which it is drawn. Without a time, the same document has the same bytes, which approvals of agents compare. */
  readonly day: string;
  readonly isMirrored: boolean;
  readonly fonts: {
    readonly regular: string;
    readonly bold: string;
    /** Of the administrator, before the shipped ones. */
    readonly found: readonly string[];
    readonly further: readonly string[];
    readonly furtherBold: readonly string[];
  };
  readonly carries: CarriedFile | null;
  /** Texts before, between and after the page number and the number of pages. */
  readonly page: readonly [before: string, between: string, after: string];
}

/** What is drawn, in this order. Only the thread knows at which height. */
export type SheetCommand =
  | { readonly draw: 'text' | 'write'; readonly text: string; readonly style: PlacedStyle }
  | { readonly draw: 'rule'; readonly colour: Colour }
  | { readonly draw: 'image' | 'qrCode'; readonly content: string; readonly place: Place }
  | { readonly draw: 'down'; readonly height: number; readonly until: number }
  | { readonly draw: 'room'; readonly height: number }
  | { readonly draw: 'head'; readonly columns: readonly TableColumn[] }
  | { readonly draw: 'row'; readonly cells: readonly string[] }
  /** Columns beside each other: each `next` returns to the height of the beginning. */
  | { readonly draw: 'columns' | 'next' | 'columnsEnd' };

export type ToSheet =
  | { readonly kind: 'begin'; readonly spec: SheetSpec }
  | { readonly kind: 'draw'; readonly commands: readonly SheetCommand[] }
  | { readonly kind: 'end'; readonly footer: string };

/** `done` confirms each message once it is drawn. */
export type FromSheet =
  | { readonly kind: 'done' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly message: string };
