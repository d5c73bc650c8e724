import { bootstrap } from '../../state/bootstrap.ts';
import type { Mention } from './chatter.ts';

/** What somebody began to say about a record; kept in this browser until it is sent. */
export interface CommentDraft {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

const empty: CommentDraft = { text: '', mentions: [] };

export function loadComment(model: string, id: number): CommentDraft {
  try {
    const text = localStorage.getItem(keyOf(model, id));
    return text ? (JSON.parse(text) as CommentDraft) : empty;
  } catch {
    return empty;
  }
}

export function keepComment(model: string, id: number, draft: CommentDraft): void {
  try {
    if (draft.text === '') localStorage.removeItem(keyOf(model, id));
    else localStorage.setItem(keyOf(model, id), JSON.stringify(draft));
  } catch {
    // A full or closed store must not stop anyone from typing.
  }
}

function keyOf(model: string, id: number): string {
  return `kontor:comment:${bootstrap().user.id}:${model}:${id}`;
}
