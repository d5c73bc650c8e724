/**
 * A tag of an XML file that `readPieces` passes on, without its prefix: `x:Ntry` is `Ntry`.
 * ```ts
 * export const isEntry = ({ name, parent }: XmlPiece) => parent === 'Stmt' && name === 'Ntry';
 * ```
 */
export interface XmlPiece {
  readonly name: string;
  /** The tag around it. */
  readonly parent: string;
  /** Which of the tags around pieces this one is in, from 0. */
  readonly group: number;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly tags: readonly XmlTag[];
}

/**
 * A tag within a piece.
 * ```ts
 * export const textOf = (tag: XmlTag, name: string) => tag.tags.find((each) => each.name === name)?.text ?? null;
 * ```
 */
export type XmlTag = Pick<XmlPiece, 'name' | 'text' | 'attributes' | 'tags'>;

/**
 * The cells of a row of a CSV file that is not blank.
 * ```ts
 * export const isWide = ({ cells }: CsvPiece) => cells.length > 3;
 * ```
 */
export interface CsvPiece {
  /** As a spreadsheet counts. */
  readonly row: number;
  readonly cells: readonly string[];
}

export interface XmlSpec {
  readonly kind: 'xml';
  /** How deep the pieces are: 0 is the root. */
  readonly level: number;
  /** Attributes to keep; others are dropped. */
  readonly attributes: readonly string[];
  /** A file with more pieces is rejected. */
  readonly most: number;
}

export interface CsvSpec {
  readonly kind: 'csv';
  /** A file with more rows is rejected. */
  readonly most: number;
}

export type PieceSpec = XmlSpec | CsvSpec;
export type PieceOf<Spec extends PieceSpec> = Spec extends XmlSpec ? XmlPiece : CsvPiece;
