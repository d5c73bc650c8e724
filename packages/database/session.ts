import { KontorError, text } from '@kontor/protocol';
import { keepConnected } from './keep-connected.ts';
import { bindValues } from './pool/bind-values.ts';
import type { ConnectionConfig } from './pool/parse-dsn.ts';
import { cellTypes } from './pool/type-parsers.ts';
import { compile, type Sql } from './sql/sql.ts';

/** The service connection of the process, opened again whenever it is lost. */
export interface DatabaseSession {
  /** Counts the connections: another number means that this is a new one, perhaps even to another database. */
  readonly life: number;
  /** Fails with UNAVAILABLE if that connection is gone. */
  query<Row extends object>(life: number, statement: Sql): Promise<Row[]>;
  /** Settles once it is connected; fails with UNAVAILABLE if that takes too long. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Called when it is connected, the first time or again. */
  readonly onUp: () => void;
  readonly onDown: (reason: string) => void;
}

const patienceMs = 5_000;
const gone = text('The connection to the database was lost. Try again in a moment.');

export function openSession(config: ConnectionConfig, { onUp, onDown }: SessionOptions): DatabaseSession {
  let life = 0;
  let waiting: (() => void)[] = [];
  const connection = keepConnected({
    config,
    onUp: () => {
      life++;
      for (const tell of waiting.splice(0)) tell();
      onUp();
    },
    onDown,
  });

  return {
    get life() {
      return life;
    },
    async query<Row extends object>(asked: number, statement: Sql) {
      if (asked !== life) throw new KontorError('UNAVAILABLE', gone);
      const { text: words, values } = compile(statement);
      return connection.query<Row>({ text: words, values: bindValues(values), types: cellTypes });
    },
    ready() {
      if (connection.isUp) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new KontorError('UNAVAILABLE', gone)), patienceMs);
        waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
    async close() {
      waiting = [];
      await connection.close();
    },
  };
}
