import { pageSize } from './records.ts';
import type { Transport } from './transport.ts';

/** One record that changed. */
export interface Change {
  readonly cursor: string;
  readonly model: string;
  readonly id: number;
  /** `create` and `write`: read the record. `unlink`: it was deleted, or the caller may no longer see it. */
  readonly operation: 'create' | 'write' | 'unlink';
  /** Names of changed fields that the caller may read. */
  readonly fields: readonly string[];
  readonly at: string | null;
  /** The change set of the call: a program recognises its own changes by it. */
  readonly changeSet: number | null;
}

/** Changes up to a cursor. Store the cursor once all of them are processed. */
export interface ChangePage {
  readonly changes: readonly Change[];
  readonly cursor: string;
}

export interface FollowOptions {
  /** Ends when there are no more changes, instead of waiting. */
  readonly untilQuiet?: boolean;
  /** How long to wait if there are no changes. */
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
}

interface Row {
  readonly cursor: string;
  readonly model: string;
  readonly res_id: number;
  readonly operation: Change['operation'] | 'skip';
  readonly fields: readonly string[] | null;
  readonly at: string | null;
  readonly change_set: number | null;
}

/** The cursor after all current changes: store it, then read all records, then follow. */
export async function cursorNow(transport: Transport): Promise<string> {
  const [row] = await ask(transport, [['cursor', '>', 'now']]);
  return row?.cursor ?? '';
}

/** Pages of changes after a cursor, in transaction order, including deletions; none is missed. */
export async function* followChanges(
  transport: Transport,
  cursor: string,
  models: readonly string[],
  { untilQuiet = false, everyMs = 2_000, signal }: FollowOptions,
): AsyncGenerator<ChangePage, void, undefined> {
  const about = models.length === 0 ? [] : [['model', 'in', models]];
  for (let at = cursor; ; ) {
    signal?.throwIfAborted();
    const rows = await ask(transport, [['cursor', '>', at], ...about]);
    const last = rows.at(-1);
    if (last) {
      at = last.cursor;
      yield { cursor: at, changes: rows.flatMap(toChange) };
    }
    if (rows.length === pageSize) continue;
    if (untilQuiet) return;
    await transport.pause(everyMs, signal);
  }
}

async function ask(transport: Transport, domain: readonly unknown[]): Promise<readonly Row[]> {
  const call = { model: 'sys.feed', method: 'search_read', args: [domain], kwargs: { limit: pageSize } };
  return (await transport.send<readonly Row[]>(call)).result;
}

function toChange(row: Row): readonly Change[] {
  const { cursor, model, res_id: id, operation, fields, at, change_set: changeSet } = row;
  return operation === 'skip' ? [] : [{ cursor, model, id, operation, fields: fields ?? [], at, changeSet }];
}
