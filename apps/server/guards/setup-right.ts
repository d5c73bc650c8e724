import type { Kernel } from '@kontor/kernel';
import { isSameSecret, keepSetupToken } from '@kontor/parts';
import { KontorError, type Text, text } from '@kontor/protocol';
import type { FastifyRequest } from 'fastify';

const loopbackAddress = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * The token that a setup requires: the configured one; the one in the link that the start prints, if other machines can reach the
 * server; empty if only this machine can.
 */
export async function neededSetupToken({ config, database }: Kernel): Promise<string> {
  if (config.setupToken !== '') return config.setupToken;
  return isReachedByOthers(config) ? keepSetupToken(database) : '';
}

function isReachedByOthers({ httpInterface, trustedProxies }: Kernel['config']): boolean {
  const isLoopback = loopbackAddress.test(httpInterface) || httpInterface.toLowerCase() === 'localhost';
  return !isLoopback || trustedProxies.length > 0;
}

/** The person who initialises owns the database: the holder of the token, or without one a user of this machine. */
export function checkSetupRight(request: FastifyRequest, setupToken: string, givenToken: string): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request))
    throw refusal(text('This request came from another site.'));
  if (setupToken !== '') {
    if (isSameSecret(givenToken, setupToken)) return;
    throw refusal(text('The setup token is missing or wrong.'));
  }
  if (isDirectLoopback(request)) return;
  throw refusal(
    text(
      'Without a setup token only a browser on the server itself may set Kontor up. Set setup_token to allow others.',
    ),
  );
}

function isDirectLoopback(request: FastifyRequest): boolean {
  if (!loopbackAddress.test(request.socket.remoteAddress ?? '')) return false;
  if (forwarding.some((header) => request.headers[header] !== undefined)) return false;
  const name = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return loopbackNames.has(name);
}

function refusal(message: Text): KontorError {
  return new KontorError('ACCESS_DENIED', message);
}

/** Before a session exists there is no token, so posts from other sites are recognised by their Origin. */
export function checkOwnOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!isOwnOrigin(origin, request)) throw new KontorError('ACCESS_DENIED', 'This request came from another site.');
}

function isOwnOrigin(origin: string, request: FastifyRequest): boolean {
  try {
    const theirs = new URL(origin);
    // An untrusted proxy that terminates TLS hides it from us, so TLS where we see none is accepted; the reverse is
    // not.
    const isDowngrade = request.protocol === 'https' && theirs.protocol !== 'https:';
    return !isDowngrade && theirs.host === new URL(`${theirs.protocol}//${request.host}`).host;
  } catch {
    return false;
  }
}
