/** The user's day: due records, recently opened records, and changes by others to followed records. */
export interface DayData {
  /** In the person's time zone. */
  readonly today: string;
  readonly kinds: readonly DueKind[];
  /** The most urgent first. */
  readonly items: readonly DueItem[];
  /** The next items, for a day without due ones. */
  readonly next: { readonly title: string; readonly date: string } | null;
  readonly recent: readonly RecentRecord[];
  readonly followed: readonly FollowedChange[];
  /** When the user last looked at followed records; empty: never. */
  readonly seenAt: string;
}

/** Records of one model that can be due: a tab. */
export interface DueKind {
  readonly model: string;
  readonly label: string;
  readonly count: number;
  /** There are more than the server reads. */
  readonly isMore: boolean;
  /** The date that can be moved to another day; null: none. */
  readonly dateField: string | null;
}

export interface DueItem {
  readonly model: string;
  readonly id: number;
  readonly title: string;
  readonly about: readonly string[];
  readonly amount?: { readonly value: number | string; readonly currency: string | null };
  readonly icon: string;
  /** The day in the person's time zone. */
  readonly date: string;
  /** The time, if it is due at one. */
  readonly at?: string;
  readonly href: string;
  readonly acts: readonly DueAct[];
}

export interface DueAct {
  /** The method to call: `action_done`. */
  readonly name: string;
  readonly label: string;
  /** Marks the item as done. */
  readonly isDone: boolean;
}

export interface RecentRecord {
  readonly model: string;
  readonly id: number;
  readonly name: string;
  /** The name of its model. */
  readonly kind: string;
  /** The module of the model. */
  readonly module: string;
  readonly at: string;
  readonly href: string;
}

/**
 * A change by somebody else to a record that the user follows.
 * ```ts
 * export const news = (id: number, at: string): FollowedChange => ({
 *   ...{ key: `note ${id}`, model: 'core.partner', id, name: 'Ada', href: recordPath('core.partner', id) },
 *   ...{ by: 'Grace', at, kind: 'comment', text: 'Called.', changes: [] },
 * });
 * ```
 */
export interface FollowedChange {
  readonly key: string;
  readonly model: string;
  readonly id: number;
  readonly name: string;
  readonly href: string;
  readonly by: string;
  readonly at: string;
  readonly kind: 'comment' | 'mention' | 'change' | 'system';
  /** The message. */
  readonly text: string;
  /** The changed fields and their new values. */
  readonly changes: readonly { readonly label: string; readonly value: string | number | boolean | null }[];
}
