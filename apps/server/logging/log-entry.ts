import type { LogEntry } from '@kontor/parts';
import type { LoggedError } from './describe-error.ts';

interface Line {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly reqId?: string;
  readonly userId?: number;
  readonly model?: string;
  readonly method?: string;
  readonly route?: string;
  readonly code?: string;
  readonly err?: LoggedError;
}

/** A line of the log as a row; null when it is no line of ours. Lines are clean already: errors are described, secrets cut. */
export function toLogEntry(text: string): LogEntry | null {
  let line: Line;
  try {
    line = JSON.parse(text) as Line;
  } catch {
    return null;
  }
  if (typeof line.level !== 'number' || typeof line.time !== 'string') return null;
  return {
    at: line.time,
    level: line.level >= 60 ? 'fatal' : line.level >= 50 ? 'error' : 'warning',
    source: storable(sourceOf(line)).slice(0, 128),
    message: storable(messageOf(line)).slice(0, 8_000),
    requestId: line.reqId ? storable(line.reqId).slice(0, 128) : null,
    userId: Number.isInteger(line.userId) ? (line.userId as number) : null,
  };
}

function sourceOf({ model, method, route, reqId }: Line): string {
  if (model && method) return `${model} ${method}`;
  return route ?? (reqId ? 'http' : 'server');
}

function messageOf({ msg = '', code, err }: Line): string {
  return [msg + (code ? ` (${code})` : ''), ...(err ? errorLines(err) : [])].filter((part) => part !== '').join('\n');
}

function errorLines({ type, code, message, table, column, constraint, stack, cause }: LoggedError): string[] {
  const names = [code, table, column, constraint].filter((name) => name !== undefined).join(' ');
  const head = `${type}${names === '' ? '' : ` [${names}]`}${message === undefined ? '' : `: ${message}`}`;
  return [head, ...(stack ? [stack] : []), ...(cause ? ['caused by', ...errorLines(cause)] : [])];
}

function storable(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');
}
