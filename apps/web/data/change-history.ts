import type { OwnChange } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { request } from './request.ts';

/** A change by this user, and how to undo or redo it. */
export interface MadeChange extends Omit<OwnChange, 'tips'> {
  /** The text of its toast, if it was made in this browser. */
  readonly words?: string;
  /** Change sets to revert, the last one first: to undo it, or to redo it once it is undone. */
  readonly next: readonly number[];
}

/** Several calls that belong to one user action, and their label. */
interface Act {
  readonly words: string;
  readonly sets: readonly number[];
}

const kept = 100;

/** The user's changes, newest first; they come from the server, so they are the same on every device. */
export async function madeChanges(): Promise<readonly MadeChange[]> {
  const { body } = await request<{ result: readonly OwnChange[] }>(`${bootstrap().wcApiBase}/changes`);
  const acts = namedActions();
  const found = new Map<string, MadeChange>();
  for (const { tips, ...change } of body.result) {
    const act = acts.find(({ sets }) => sets.includes(change.id));
    const key = act ? `${act.sets.join()} ${change.undoneAt === null}` : String(change.id);
    const known = found.get(key);
    if (known) found.set(key, { ...known, next: [...known.next, ...tips].sort((a, b) => a - b) });
    else found.set(key, { ...change, next: tips, ...(act ? { words: act.words } : {}) });
  }
  return [...found.values()];
}

/** Groups the calls of one user action under one label, in this browser. */
export function nameChange(words: string, sets: readonly number[]): void {
  try {
    localStorage.setItem(keyOf(), JSON.stringify([...namedActions(), { words, sets }].slice(-kept)));
  } catch {
    // Work must not stop if storage is full or blocked.
  }
}

function namedActions(): readonly Act[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf()) ?? '[]') as readonly Act[];
  } catch {
    return [];
  }
}

function keyOf(): string {
  return `kontor.acts.${bootstrap().user.id}`;
}

/** The change that Ctrl+Z undoes: the user's own last change, not an agent's. */
export function lastChange(all: readonly MadeChange[]): MadeChange | undefined {
  return all.find(({ undoneAt, agent }) => undoneAt === null && agent === null);
}

/** The change that Ctrl+Shift+Z redoes: the last undone one, unless something else was changed since. */
export function lastUndone(all: readonly MadeChange[]): MadeChange | undefined {
  const time = (change: MadeChange | undefined): string => change?.undoneAt ?? '';
  const own = all.filter(({ agent }) => agent === null);
  const last = own.reduce<MadeChange | undefined>((best, one) => (time(one) > time(best) ? one : best), undefined);
  return last && own.every(({ at }) => at <= time(last)) ? last : undefined;
}
