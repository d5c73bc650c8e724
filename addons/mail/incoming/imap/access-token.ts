import type { OutsideResult } from '@kontor/addon';

/** How a mailbox signs in at a provider: with a token that a refresh token is exchanged for (RFC 6749, section 6). */
export interface TokenSettings {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  /** Under the rules of outgoing requests, outside any transaction. */
  readonly request: (request: {
    readonly url: string;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }) => Promise<OutsideResult>;
  /** Some providers give a new refresh token with each answer, and end the previous one. */
  readonly keep: (refreshToken: string) => Promise<void>;
}

/** The token endpoint did not give a token. What it answered is quoted as far as it cannot have a secret. */
export class TokenError extends Error {
  readonly code = 'OAUTH';
}

const longestToken = 10_000;

export async function accessToken({
  url,
  clientId,
  clientSecret,
  refreshToken,
  request,
  keep,
}: TokenSettings): Promise<string> {
  const form = new URLSearchParams({
    ...{ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId },
    ...(clientSecret === '' ? {} : { client_secret: clientSecret }),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const result = await request({ url, method: 'POST', headers, body: form.toString() });
  if (result.kind === 'failure') throw new TokenError(result.reason);
  const answer = objectIn(result.text);
  const token = tokenIn(answer.access_token);
  if (result.status !== 200 || token === null) throw new TokenError(errorIn(answer) ?? `HTTP ${result.status}`);
  const next = tokenIn(answer.refresh_token);
  if (next !== null && next !== refreshToken) await keep(next);
  return token;
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** One line of visible characters: it becomes part of a command. */
function tokenIn(value: unknown): string | null {
  return typeof value === 'string' && value.length <= longestToken && /^[\x21-\x7e]+$/.test(value) ? value : null;
}

/** Codes such as `invalid_grant`; descriptions may quote the request. */
function errorIn({ error }: Readonly<Record<string, unknown>>): string | null {
  return typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : null;
}
