import type { RpcRequest } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';

type ChangingCall = Omit<RpcRequest, 'kwargs'> & Partial<RpcRequest>;

/** Something that this person changed, and how to take it back. */
export interface MadeChange {
  readonly at: number;
  readonly model: string;
  readonly method: string;
  readonly ids: readonly number[];
  /** As the toast said it. */
  readonly words?: string;
  /** Change sets to revert, the last one first: to take it back, or to do it again once it is taken back. */
  readonly next: readonly number[];
  /** Made by reverting some of them. */
  readonly reverse: readonly number[];
  /** When it was taken back; 0: it holds. */
  readonly undoneAt: number;
}

const kept = 100;

/** What the person changed in this browser, the newest last. */
export function madeChanges(): readonly MadeChange[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf()) ?? '[]') as readonly MadeChange[];
  } catch {
    return [];
  }
}

/** Reverting a change set turns the change that it belongs to; any other call is a new change. */
export function keepChange({ model, method, args, kwargs }: ChangingCall, changeSet: number, result: unknown): void {
  if (kwargs?.dry_run) return;
  if (model === 'sys.change.set') {
    keep(madeChanges().map((one) => turned(one, Number(args[0]), changeSet)));
    return;
  }
  // Settings and searches of their own are no work of which people want a history.
  if (model.startsWith('sys.')) return;
  const ids = method.startsWith('create') ? [result].flat() : idsOf(args);
  keep([
    ...madeChanges(),
    { at: Date.now(), model, method, ids: ids as number[], next: [changeSet], reverse: [], undoneAt: 0 },
  ]);
}

function idsOf([first, , vals]: RpcRequest['args']): readonly unknown[] {
  const chosen = (vals as { readonly active_ids?: string } | undefined)?.active_ids;
  return first === 0 && chosen ? chosen.split(',').map(Number) : [first].flat();
}

/** Several calls that a person made by one act are one change with its words. */
export function nameChange(words: string, changeSets: readonly number[]): void {
  const all = madeChanges();
  const own = all.filter(({ next }) => next.some((one) => changeSets.includes(one)));
  const last = own.at(-1);
  if (!last) return;
  const ids = [...new Set(own.flatMap((one) => one.ids))];
  const joined = { ...last, words, ids, next: own.flatMap((one) => one.next) };
  keep(all.filter((one) => one === last || !own.includes(one)).map((one) => (one === last ? joined : one)));
}

function turned(change: MadeChange, reverted: number, by: number): MadeChange {
  if (!change.next.includes(reverted)) return change;
  const next = change.next.filter((one) => one !== reverted);
  const reverse = [...change.reverse, by];
  if (next.length > 0) return { ...change, next, reverse };
  return { ...change, next: reverse, reverse: [], undoneAt: change.undoneAt === 0 ? Date.now() : 0 };
}

function keep(changes: readonly MadeChange[]): void {
  try {
    localStorage.setItem(keyOf(), JSON.stringify(changes.slice(-kept)));
  } catch {
    // A full or closed store must not stop anyone from working.
  }
}

function keyOf(): string {
  return `kontor.changes.${bootstrap().user.id}`;
}

/** What Ctrl+Z takes back. */
export function lastChange(): MadeChange | undefined {
  return madeChanges().findLast(({ undoneAt }) => undoneAt === 0);
}

/** What Ctrl+Shift+Z does again: what was taken back last, unless something else was done since. */
export function lastUndone(): MadeChange | undefined {
  const all = madeChanges();
  const [last] = all.filter(({ undoneAt }) => undoneAt > 0).sort((a, b) => b.undoneAt - a.undoneAt);
  return last && all.every(({ at }) => at <= last.undoneAt) ? last : undefined;
}
