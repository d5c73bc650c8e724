import { chmodSync, existsSync, statSync } from 'node:fs';
import type { Config } from '@kontor/kernel';
import pino, { type DestinationStream, type Level, type Logger, type StreamEntry } from 'pino';
import { describeError, maskSecrets } from './describe-error.ts';

const secretNames = ['password', 'token', 'secret', 'key', 'headers', 'cookie', 'authorization', 'body', 'values'];

interface LogStreams {
  /** The output; by default standard output or the configured file. */
  readonly lines?: DestinationStream;
  /** Gets warnings and worse, whatever the configured level. */
  readonly warnings?: DestinationStream;
}

/**
 * Structured lines, one JSON object each. Anything that could contain a secret or a record's values is removed first.
 */
export function createLog(config: Pick<Config, 'logLevel' | 'logFile'>, streams: LogStreams = {}): Logger {
  const entries: StreamEntry[] = [];
  const file = config.logLevel === 'silent' || streams.lines ? null : openDestination(config.logFile);
  const lines = streams.lines ?? file;
  if (config.logLevel !== 'silent' && lines) entries.push({ level: config.logLevel as Level, stream: lines });
  if (streams.warnings) entries.push({ level: 'warn', stream: streams.warnings });
  const log = pino(
    {
      level: entries.length === 0 ? 'silent' : lowest(entries),
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // The names of `log_level`, here and in `sys.log`.
      formatters: { level: (level) => ({ level }) },
      serializers: {
        err: (error) => describeError(error),
        error: (error) => describeError(error),
        // Callers choose it, and some send arbitrary text.
        reqId: (id: string) => (/sk_/i.test(id) ? maskSecrets(id) : id),
      },
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '***' },
      hooks: {
        logMethod(given, method) {
          method.apply(
            this,
            given.map((part) => (typeof part === 'string' ? maskSecrets(part) : part)) as typeof given,
          );
        },
      },
    },
    pino.multistream(entries),
  );
  if (file && config.logFile !== '') files.set(log, file);
  return log;
}

type LogFile = ReturnType<typeof openDestination>;

/** The files that logs are written to. */
const files = new WeakMap<Logger, LogFile>();

/** On SIGHUP a log file is reopened under the same name. Closing a terminal also sends SIGHUP, to stop the server in it. */
export function reopenOnHangup(
  log: Logger,
  { also, onTerminal }: { readonly also?: () => void; readonly onTerminal: () => void },
): void {
  process.on('SIGHUP', () => {
    const file = files.get(log);
    if (!file && process.stdout.isTTY) return onTerminal();
    if (file) {
      file.reopen();
      log.info('the log file was opened again');
    }
    also?.();
  });
}

function openDestination(file: string) {
  // Lines contain names and addresses: other users of the machine cannot read them, nor an existing file.
  if (file !== '' && existsSync(file) && statSync(file).isFile()) chmodSync(file, 0o600);
  // Written asynchronously: a slow reader of the log must not slow down requests, and a busy server writes many lines at once. The
  // rest is written at exit.
  return pino.destination({
    dest: file === '' ? 1 : file,
    mkdir: true,
    mode: 0o600,
    sync: false,
    minLength: 12_288,
    periodicFlush: 100,
  });
}

function lowest(entries: readonly StreamEntry[]): Level {
  const levels = entries.map(({ level }) => level as Level);
  return levels.reduce((low, level) =>
    (pino.levels.values[level] ?? 0) < (pino.levels.values[low] ?? 0) ? level : low,
  );
}
