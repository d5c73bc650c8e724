import { KontorError } from '@kontor/protocol';
import { maskSecrets } from './mask-secrets.ts';

/** What a log may hold of an error: enough to find the place, nothing that a record or a caller brought along. */
export interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  /** Where in the database, by name. */
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const maxCauses = 3;

export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  const stack = frames(error);
  const cause = error.cause === undefined || depth >= maxCauses ? null : describeError(error.cause, depth + 1);
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...place(error),
    ...spokenMessage(error),
    ...(stack === '' ? {} : { stack }),
    ...(cause && { cause }),
  };
}

/** The database quotes values in its message, detail and context; its names of things are safe. */
function place(error: Error): Pick<LoggedError, 'table' | 'column' | 'constraint'> {
  if (!isFromDatabase(error)) return {};
  const { table, column, constraint } = error as { table?: string; column?: string; constraint?: string };
  return { ...(table && { table }), ...(column && { column }), ...(constraint && { constraint }) };
}

function spokenMessage(error: Error): { message?: string } {
  if (isFromDatabase(error) || isFromMailServer(error) || isForCaller(error) || error instanceof SyntaxError) return {};
  // Node quotes the value at the end of its own complaints.
  const message = maskSecrets(error.message.replace(/ Received [\s\S]*$/, '')).slice(0, 500);
  return message === '' ? {} : { message };
}

function isFromDatabase(error: Error): boolean {
  return 'severity' in error && 'code' in error;
}

/** Mail servers repeat the addresses they were given. */
function isFromMailServer(error: Error): boolean {
  return 'responseCode' in error || 'command' in error;
}

/** Errors for callers speak of what they sent; those about the server itself and about addons do not. */
function isForCaller(error: Error): boolean {
  return error instanceof KontorError && error.status < 500 && error.name !== 'AddonError';
}

/** The stack without its first lines, which are the message again. */
function frames({ stack = '', name, message }: Error): string {
  const head = message === '' ? name : `${name}: ${message}`;
  const rest = stack.startsWith(head) ? stack.slice(head.length) : stack;
  return rest
    .split('\n')
    .filter((line) => /^ {4}at \S.*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/.test(line))
    .slice(0, 20)
    .map((line) => line.trim())
    .join('\n');
}
