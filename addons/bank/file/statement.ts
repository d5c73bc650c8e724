import type { Decimal } from '@kontor/addon';

/** An entry of a bank file: money that came in, or went out where the amount is negative. */
export interface FileEntry {
  readonly date: string;
  readonly valueDate: string | null;
  readonly amount: Decimal;
  readonly currency: string | null;
  /** Who paid, or was paid. */
  readonly party: string | null;
  readonly iban: string | null;
  /** What the payer was asked to say, in a format of its own (ISO 11649 and others). */
  readonly reference: string | null;
  readonly text: string | null;
  readonly endToEnd: string | null;
  /** By what the bank counts it; several parts of a batch share one. */
  readonly bankReference: string | null;
  /** What the payer sent, if that was in another currency. */
  readonly sent: { readonly amount: Decimal; readonly currency: string } | null;
  readonly isReturn: boolean;
  readonly isFee: boolean;
  /** The same for all parts of a batch, which is taken in whole or not at all. */
  readonly batch: BatchFacts;
}

/** What a batch, or an entry that is none, is known by. */
export interface BatchFacts {
  /** Counts within the file. */
  readonly index: number;
  readonly reference: string | null;
  readonly date: string;
  readonly amount: Decimal;
  readonly currency: string | null;
}

export interface FileStatement {
  readonly name: string | null;
  /** IBAN or number of the account; null where the file does not say. */
  readonly account: string | null;
  readonly currency: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  readonly entries: readonly FileEntry[];
  /** Entries that the bank has not booked yet. They come again. */
  readonly pending: number;
}

/** More are refused: nobody works through them, and they would be held in memory at once. */
export const mostEntries = 10_000;
export const mostBytes = 20_000_000;
