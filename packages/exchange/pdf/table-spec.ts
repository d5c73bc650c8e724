import type { ShownAs } from '@kontor/protocol';
import type { FontFiles } from './font-files.ts';

export const pageSizes = ['a4', 'legal', 'letter'] as const;
export type PageSize = (typeof pageSizes)[number];

/** A printed table, as plain data that can go to another thread. */
export interface TableSpec {
  readonly title: string;
  readonly author: string;
  readonly columns: readonly TableColumn[];
  readonly pageSize: PageSize;
  readonly fonts: FontFiles;
  readonly lang: string;
  /** The reading direction: the first column is at its start. */
  readonly isRightToLeft: boolean;
  readonly tz: string;
  /** ISO 8601. */
  readonly printedAt: string;
  readonly words: TableWords;
}

export interface TableWords {
  readonly yes: string;
  readonly no: string;
  /** Texts before, between and after the page number and the number of pages. */
  readonly page: readonly [before: string, between: string, after: string];
}

export interface TableColumn {
  readonly label: string;
  /** The key of the record; of the list if `inLines` is set. */
  readonly key: string;
  /** The field of each record of a list. */
  readonly inLines: string | null;
  readonly kind: ShownAs;
  /** Decimals; null: as many as there are. */
  readonly scale: number | null;
  /** Key of the currency's code, for money. */
  readonly currency: string | null;
  readonly choices: Readonly<Record<string, string>>;
}

/** The data for the drawing thread. */
export type ToDrawing =
  | { readonly kind: 'begin'; readonly spec: TableSpec }
  /** The text of a JSON array of records. */
  | { readonly kind: 'rows'; readonly json: string }
  | { readonly kind: 'end' };

/** The answers; `done` confirms each message once it is drawn. */
export type FromDrawing =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string };
