import { bootstrap } from '../state/bootstrap.ts';
import type { Values } from './rpc.ts';

/** What somebody typed and has not saved, kept in this browser for that person alone. */
export interface Draft {
  readonly values: Values;
  /** What the record was when the typing began. */
  readonly base: Values;
  /** Names of the relations that were chosen, by path. */
  readonly shown?: Values;
  readonly at: string;
}

export function saveDraft(model: string, id: number, draft: Omit<Draft, 'at'>): void {
  try {
    localStorage.setItem(keyOf(model, id), JSON.stringify({ ...draft, at: new Date().toISOString() }));
  } catch {
    // A full or closed store must not stop anyone from typing.
  }
}

export function loadDraft(model: string, id: number): Draft | null {
  try {
    const text = localStorage.getItem(keyOf(model, id));
    return text ? (JSON.parse(text) as Draft) : null;
  } catch {
    return null;
  }
}

export function dropDraft(model: string, id: number): void {
  try {
    localStorage.removeItem(keyOf(model, id));
  } catch {
    // As above.
  }
}

/** Id 0 is the new record of the model. */
function keyOf(model: string, id: number): string {
  return `kontor:draft:${bootstrap().user.id}:${model}:${id || 'new'}`;
}
