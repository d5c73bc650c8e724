/** A page of the timeline of a record: records of other models that belong to it, as far as the reader may read them. */
export interface TimelinePage {
  /** With a first page only: the kinds of records, and how many there are. */
  readonly kinds?: readonly TimelineKind[];
  /** Latest first; upcoming ones, earliest first. */
  readonly items: readonly TimelineItem[];
  /** Pass it on to get the next page; null: there are no more. */
  readonly next: string | null;
}

/** A kind of records in a timeline: a filter. */
export interface TimelineKind {
  readonly kind: string;
  readonly label: string;
  readonly icon: string;
  readonly count: number;
}

/** A record in a timeline. */
export interface TimelineItem {
  readonly kind: string;
  readonly model: string;
  readonly id: number;
  readonly icon: string;
  readonly title: string;
  readonly about: readonly string[];
  readonly amount?: { readonly value: number | string; readonly currency: string | null };
  /** The day in the person's time zone. */
  readonly date: string;
  /** The moment, unless it is a whole day. */
  readonly at?: string;
  /** Opens the record. */
  readonly href: string;
}
