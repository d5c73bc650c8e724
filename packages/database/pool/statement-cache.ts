import { createHash } from 'node:crypto';
import { lruCache } from '@kontor/protocol';
import type { ClientBase } from 'pg';
import type { Column } from '../wire/cells.ts';
import { driverConnection } from '../wire/driver-connection.ts';

/** Named statements of one connection. */
export interface StatementCache {
  /** The connection planned something large; its memory is released only when it is closed. */
  readonly isHeavy: boolean;
  /** The name under which to send the text, or undefined to send it unnamed. */
  nameOf(text: string): string | undefined;
  /** The server has planned and described it on this connection. */
  knows(text: string): boolean;
  /** The result description of a named statement, once the server has sent it. */
  columnsOf(name: string): readonly Column[] | undefined;
  keepColumns(name: string, columns: readonly Column[]): void;
  /** Drops a statement here and on the server; harmless when the server does not have it. */
  forget(name: string): void;
  clear(): void;
}

/** Shared by the connections of a pool: a schema change makes every plan of every connection suspect at once. */
export interface PlanGeneration {
  current: number;
}

const preparable = /^\s*(?:select|insert|update|delete|with|values|merge)\b/i;
/** Planning a statement of this length takes the server tens of megabytes, which its process then keeps. */
const heavyLength = 30_000;
const maxKnownTexts = 5_000;

/** Names by statement text; null until a text occurs again, so that one-off statements do not evict useful ones. */
const names = lruCache<string, string | null>(maxKnownTexts);

function knownName(text: string): string | undefined {
  const name = names.get(text);
  if (name) return name;
  if (name === undefined) {
    if (text.length > heavyLength || text.includes(';') || !preparable.test(text)) return undefined;
    names.set(text, null);
    return undefined;
  }
  const made = `k_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
  names.set(text, made);
  return made;
}

export function createStatementCache(client: ClientBase, generation: PlanGeneration, max: number): StatementCache {
  const connection = driverConnection(client);
  const used = lruCache<string, string>(max, close);
  const columns = new Map<string, readonly Column[]>();
  let seen = generation.current;
  let isHeavy = false;

  function close(name: string): void {
    // The protocol's own DEALLOCATE: it is sent with the next statement and works in a failed transaction too.
    connection.close({ type: 'S', name });
    columns.delete(name);
    delete connection.parsedStatements[name];
    delete connection.submittedNamedStatements[name];
  }

  function clear(): void {
    for (const name of used.values()) close(name);
    used.clear();
  }

  return {
    get isHeavy() {
      return isHeavy;
    },
    clear,
    forget: close,
    knows(text) {
      const name = seen === generation.current ? used.get(text) : undefined;
      return name !== undefined && columns.has(name) && connection.parsedStatements[name] !== undefined;
    },
    columnsOf: (name) => columns.get(name),
    keepColumns: (name, found) => void columns.set(name, found),
    nameOf(text) {
      if (text.length > heavyLength) isHeavy = true;
      if (seen !== generation.current) {
        seen = generation.current;
        clear();
      }
      const name = max === 0 ? undefined : knownName(text);
      if (name === undefined) return undefined;
      if (used.get(text) === undefined) used.set(text, name);
      return name;
    },
  };
}
