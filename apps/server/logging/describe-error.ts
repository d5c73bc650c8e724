import { authorStack } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';

/** What a log may contain of an error: enough to find the place, no data of a record or a caller. */
export interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  /** The position in the database, by name. */
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
    ...safeMessage(error),
    ...(stack === '' ? {} : { stack }),
    ...(cause && { cause }),
  };
}

/** The database quotes values in its message, detail and context; its object names are safe. */
function place(error: Error): Pick<LoggedError, 'table' | 'column' | 'constraint'> {
  if (!isFromDatabase(error)) return {};
  const { table, column, constraint } = error as { table?: string; column?: string; constraint?: string };
  return { ...(table && { table }), ...(column && { column }), ...(constraint && { constraint }) };
}

function safeMessage(error: Error): { message?: string } {
  if (isFromDatabase(error) || isFromMailServer(error) || isForCaller(error) || error instanceof SyntaxError) return {};
  // Node quotes the value at the end of its own messages.
  const message = maskSecrets(error.message.replace(/ Received [\s\S]*$/, '')).slice(0, 500);
  return message === '' ? {} : { message };
}

function isFromDatabase(error: Error): boolean {
  return 'severity' in error && 'code' in error;
}

/** Mail servers repeat addresses in their messages. */
function isFromMailServer(error: Error): boolean {
  return 'responseCode' in error || 'command' in error;
}

/** Errors for callers contain what they sent; errors of the server itself and of addons do not. */
function isForCaller(error: Error): boolean {
  return error instanceof KontorError && error.status < 500 && error.name !== 'AddonError';
}

/** The stack without its first lines, which repeat the message. */
function frames({ stack = '', name, message }: Error): string {
  const head = message === '' ? name : `${name}: ${message}`;
  const rest = stack.startsWith(head) ? stack.slice(head.length) : stack;
  return authorStack(rest)
    .split('\n')
    .filter((line) => /^ {4}at \S.*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/.test(line))
    .slice(0, 20)
    .map((line) => line.trim())
    .join('\n');
}

const masks: readonly (readonly [RegExp, string])[] = [
  [/\bsk_[0-9a-f]+/gi, 'sk_***'],
  [/\b[0-9a-f]{48,}\b/gi, '***'],
  [/(:\/\/[^\s:@/]*):[^\s@/]+@/g, '$1:***@'],
  [/\b(Bearer|Basic) +\S+/gi, '$1 ***'],
  [/\b(password|passwd|pwd|secret|token|api_?key)(["']?\s*[=:]\s*)\S+/gi, '$1$2***'],
];

/** Shorter texts are our own; scanning them would be most of the cost of a log line. */
const shortestSecret = 10;

/** A second line of defence for external texts: anything that looks like a key, token or password. */
export function maskSecrets(text: string): string {
  if (text.length < shortestSecret) return text;
  let masked = text;
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement);
  return masked;
}
