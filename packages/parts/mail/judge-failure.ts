/** What to do about a mail that the server did not take. */
export interface MailFailure {
  readonly message: string;
  /** It will be refused again, however often it is tried. */
  readonly isFinal: boolean;
  /** Not this mail's fault: the others need not be tried now. */
  readonly isServerAway: boolean;
}

const serverCodes: ReadonlySet<string> = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDNS',
  'ENOTFOUND',
  'EAUTH',
  'ENOAUTH',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]);
const minuteMs = 60_000;
const longestPauseMs = 240 * minuteMs;
const maxAttempts = 12;

export function judgeFailure(error: unknown, attempts: number): MailFailure {
  const { code, responseCode, message } = describe(error);
  const isServerAway = serverCodes.has(code);
  const isRefused = !isServerAway && responseCode >= 500 && responseCode < 600;
  return { message, isServerAway, isFinal: isRefused || attempts >= maxAttempts };
}

/** One minute, then twice as long each time; over half a day in all before a mail is given up. */
export function retryAfterMs(attempts: number): number {
  return Math.min(longestPauseMs, minuteMs * 2 ** (attempts - 1));
}

function describe(error: unknown): { code: string; responseCode: number; message: string } {
  const { code, responseCode, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    responseCode?: unknown;
    message?: unknown;
  };
  return {
    code: String(code ?? ''),
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
    message: String(message ?? error).slice(0, 1_000),
  };
}
