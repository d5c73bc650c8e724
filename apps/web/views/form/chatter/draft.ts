import { bootstrap, createStore, type Mention, type SentFile } from '../../../door/index.ts';

export type ComposerMode = 'note' | 'message';

/** A recipient outside. */
export interface Recipient {
  readonly name: string;
  readonly address: string;
  readonly isFailing?: boolean;
}

/** What is being written about a record, kept in this browser. */
export interface Draft {
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** Absent: as the place proposes. */
  readonly mode?: ComposerMode;
  /** Absent: as the server proposes. */
  readonly to?: readonly Recipient[];
  readonly cc?: readonly Recipient[];
  readonly subject?: string;
  /** Absent: with the signature of its author. */
  readonly isSigned?: boolean;
  /** The language of the template that was inserted. */
  readonly lang?: string;
  /** Made when it is sent first: however often that is tried, it is one message. */
  readonly key?: string | undefined;
  /** Files themselves are not kept; their names say what is missing after a reload. */
  readonly fileNames?: readonly string[];
}

export const emptyDraft: Draft = { text: '', mentions: [] };

/** A message that was taken back, for the composer of its record. */
export const takenBack = createStore<{
  readonly key: string;
  readonly draft: Draft;
  readonly files: readonly SentFile[];
} | null>(null);

export function loadDraft(model: string, id: number): Draft {
  try {
    const text = localStorage.getItem(draftKey(model, id));
    return text ? (JSON.parse(text) as Draft) : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

export function saveDraft(model: string, id: number, draft: Draft): void {
  try {
    if (isEmpty(draft)) localStorage.removeItem(draftKey(model, id));
    else localStorage.setItem(draftKey(model, id), JSON.stringify(draft));
  } catch {
    // Typing must not fail if storage is full or blocked.
  }
}

function isEmpty({ text, to, cc = [], subject, fileNames = [] }: Draft): boolean {
  return text === '' && to === undefined && cc.length === 0 && subject === undefined && fileNames.length === 0;
}

export function draftKey(model: string, id: number): string {
  return `kontor:comment:${bootstrap().user.id}:${model}:${id}`;
}
