import type { Env } from '@kontor/addon';
import type { TokenSettings } from './access-token.ts';
import type { ImapSettings } from './open-mailbox.ts';

/** What is read of a mailbox to connect to it. */
export const connectionFields = [
  ...(['host', 'port', 'tls', 'username', 'password', 'folder'] as const),
  ...(['certificate', 'auth', 'token_url', 'client_id', 'client_secret', 'refresh_token'] as const),
];

interface ConnectionRow {
  readonly host: string | null;
  readonly port: number;
  readonly tls: ImapSettings['tls'];
  readonly username: string | null;
  readonly password: string | null;
  readonly folder: string;
  readonly certificate?: string | null;
  readonly auth?: 'password' | 'oauth';
  readonly token_url?: string | null;
  readonly client_id?: string | null;
  readonly client_secret?: string | null;
  readonly refresh_token?: string | null;
}

export function settingsOf(row: ConnectionRow, request: TokenSettings['request'] | null = null): ImapSettings {
  const { host, port, tls, username, password, folder } = row;
  const settings = {
    ...{ host: host ?? '', port, tls, folder, username: username ?? '', password: password ?? '' },
    ...(row.certificate ? { certificate: row.certificate } : {}),
  };
  if (row.auth !== 'oauth' || request === null) return settings;
  const token: TokenSettings = {
    ...{ url: row.token_url ?? '', clientId: row.client_id ?? '', clientSecret: row.client_secret ?? '' },
    ...{ refreshToken: row.refresh_token ?? '', request, keep: async () => {} },
  };
  return { ...settings, token };
}

/** As the server: the field cannot be read or written by anybody. */
export async function keepRefreshToken(env: Env, id: number, token: string): Promise<void> {
  await env.sudo().model('mail.mailbox').write([id], { refresh_token: token });
}
