import type { OwnChange } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { request } from './request.ts';

/** Something that this person did, and how to turn it around. */
export interface MadeChange extends Omit<OwnChange, 'tips'> {
  /** As the toast said it, where it was this browser. */
  readonly words?: string;
  /** Change sets to take back, the last one first: to undo it, or to do it again once it is undone. */
  readonly next: readonly number[];
}

/** Calls that a person made by one act, and its words. */
interface Act {
  readonly words: string;
  readonly sets: readonly number[];
}

const kept = 100;

/** What the person changed, the newest first; the server knows it, so that it is the same on every device. */
export async function madeChanges(): Promise<readonly MadeChange[]> {
  const { body } = await request<{ result: readonly OwnChange[] }>(`${bootstrap().wcApiBase}/changes`);
  const acts = namedActs();
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

/** Several calls that a person made by one act are one change with its words, in this browser. */
export function nameChange(words: string, sets: readonly number[]): void {
  try {
    localStorage.setItem(keyOf(), JSON.stringify([...namedActs(), { words, sets }].slice(-kept)));
  } catch {
    // A full or closed store must not stop anyone from working.
  }
}

function namedActs(): readonly Act[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf()) ?? '[]') as readonly Act[];
  } catch {
    return [];
  }
}

function keyOf(): string {
  return `kontor.acts.${bootstrap().user.id}`;
}

/** What Ctrl+Z takes back: what the person did, not what an agent did meanwhile. */
export function lastChange(all: readonly MadeChange[]): MadeChange | undefined {
  return all.find(({ undoneAt, agent }) => undoneAt === null && agent === null);
}

/** What Ctrl+Shift+Z does again: what was taken back last, unless something else was done since. */
export function lastUndone(all: readonly MadeChange[]): MadeChange | undefined {
  const time = (change: MadeChange | undefined): string => change?.undoneAt ?? '';
  const own = all.filter(({ agent }) => agent === null);
  const last = own.reduce<MadeChange | undefined>((best, one) => (time(one) > time(best) ? one : best), undefined);
  return last && own.every(({ at }) => at <= time(last)) ? last : undefined;
}
