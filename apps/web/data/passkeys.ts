import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { t } from '../i18n/messages.ts';
import { ClientError } from './client-error.ts';
import { request } from './request.ts';

interface Asked<T> {
  readonly token: string;
  readonly options: T;
}

async function post<T>(path: string, json: object): Promise<T> {
  const { body } = await request<{ result: T }>(path, { json });
  return body.result;
}

/** Asks the browser for a passkey of the user whose password was correct. */
export async function askForPasskey(): Promise<object> {
  const { token, options } = await post<Asked<Parameters<typeof startAuthentication>[0]['optionsJSON']>>(
    '/web/login/passkey/options',
    {},
  );
  return { token, response: await startAuthentication({ optionsJSON: options }).catch(refused) };
}

/** Creates a passkey in this browser; returns recovery codes if it is the first factor. */
export async function makePasskey(name: string, password: string): Promise<readonly string[] | null> {
  if (!browserSupportsWebAuthn()) {
    throw new ClientError('validation', t('Passkeys are not available here. They require https or localhost.'));
  }
  const { token, options } = await post<Asked<Parameters<typeof startRegistration>[0]['optionsJSON']>>(
    '/web/user/factors/passkey/options',
    { password },
  );
  const response = await startRegistration({ optionsJSON: options }).catch(refused);
  const made = { token, response, name };
  return (await post<{ recoveryCodes: readonly string[] | null }>('/web/user/factors/passkey', made)).recoveryCodes;
}

function refused(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError')
    throw new ClientError('validation', t('This device already has a passkey for you.'));
  throw new ClientError('validation', t('The browser did not provide a passkey.'));
}
