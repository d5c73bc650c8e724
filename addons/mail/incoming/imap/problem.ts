import { type Text, text } from '@kontor/addon';
import type { ImapSettings } from './open-mailbox.ts';

const badCertificates: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Why a mailbox cannot be fetched, in words that lead to the setting to change. What the server answered is quoted without the command
 * that it answers: that could have the password.
 */
export function problemOf(error: unknown, { host, port, folder }: Omit<ImapSettings, 'password' | 'token'>): Text {
  const given = (typeof error === 'object' && error !== null ? error : {}) as Readonly<Record<string, unknown>>;
  const code = String(given.code ?? '');
  const at = { host, port };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA')
    return text('The server {host} was not found.', { host });
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return text('The server {host} cannot be reached on port {port}.', at);
  if (/TIMEOUT|^ETIMEDOUT$/i.test(code)) return text('The server {host} did not answer in time.', { host });
  if (badCertificates.has(code)) return text('The certificate of {host} is not valid.', { host });
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return text('The server {host} does not use this encryption on port {port}.', at);
  if (code === 'OAUTH') return text('The provider gave no token: {reason}', { reason: String(given.message ?? '') });
  const answer = String(given.responseText ?? '').slice(0, 300);
  if (given.mailboxMissing === true) return text('There is no folder {folder}.', { folder });
  if (answer !== '') return text('The mail server refused: {reason}', { reason: answer });
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'NoConnection' || code === 'EConnectionClosed')
    return text('The connection to {host} was lost.', { host });
  return text('E-mail cannot be fetched: {reason}', { reason: String(given.message ?? error).slice(0, 300) });
}
