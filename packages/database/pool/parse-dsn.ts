import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';

/** Where a PostgreSQL is and who asks: what `parseDsn` and the embedded server hand over. */
export type ConnectionConfig = Readonly<
  Pick<
    ClientConfig,
    'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'options' | 'application_name' | 'enableChannelBinding'
  > & { connectTimeoutMs?: number }
>;

const known = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'application_name',
  'connect_timeout',
  'options',
  'channel_binding',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
] as const;

type Keyword = (typeof known)[number];
type DsnWords = Partial<Record<Keyword, string>>;

const shape = 'postgres://user:password@host:port/database, with ?host=/directory for a unix socket';

/** Reads a postgres:// URL or libpq's `key=value` form. Messages never repeat the address: it may hold a password. */
export function parseDsn(dsn: string): ConnectionConfig {
  const words = /^postgres(?:ql)?:\/\//i.test(dsn) ? fromUrl(dsn) : fromKeywords(dsn);
  const { host, user, password, dbname, application_name, options } = words;
  const port = wholeNumber(words, 'port', 65_535);
  const connectTimeout = wholeNumber(words, 'connect_timeout', 3_600);
  const ssl = sslOptions(words);
  return {
    ...(host && { host }),
    ...(port && { port }),
    ...(user && { user }),
    ...(password && { password }),
    ...(dbname && { database: dbname }),
    ...(application_name && { application_name }),
    ...(options && { options }),
    ...(connectTimeout && { connectTimeoutMs: connectTimeout * 1_000 }),
    ...(words.channel_binding === 'require' && { enableChannelBinding: true }),
    ...(ssl !== undefined && { ssl }),
  };
}

function fromUrl(dsn: string): DsnWords {
  const url = URL.canParse(dsn) ? new URL(dsn) : withLocalHost(dsn);
  if (!url || url.hash) throw new Error(`Not a PostgreSQL address; expected ${shape}.`);
  const words: Record<string, string> = {
    host: decode(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    user: decode(url.username),
    password: decode(url.password),
    dbname: decode(url.pathname.slice(1)),
  };
  for (const [key, value] of url.searchParams) words[key] = value;
  return checked(words);
}

/** `postgres://user@/db?host=/run/postgresql` has an empty host, which URL refuses beside a user. */
function withLocalHost(dsn: string): URL | null {
  const named = dsn.replace(/^([a-z]+:\/\/[^/?#]*@)(?=[/?#:]|$)/i, '$1localhost');
  return named !== dsn && URL.canParse(named) ? new URL(named) : null;
}

function fromKeywords(dsn: string): DsnWords {
  const words: Record<string, string> = {};
  const rest = dsn.replace(/\s*(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))/gsy, (_, key, quoted, bare) => {
    words[key as string] = ((quoted ?? bare) as string).replace(/\\(.)/gs, '$1');
    return '';
  });
  if (rest.trim() !== '' || Object.keys(words).length === 0) {
    throw new Error(`Not a PostgreSQL address; expected ${shape}.`);
  }
  return checked(words);
}

function checked(words: Readonly<Record<string, string>>): DsnWords {
  for (const key of Object.keys(words)) {
    if (!(known as readonly string[]).includes(key)) {
      throw new Error(`A PostgreSQL address does not take ${JSON.stringify(key)} here; it takes ${known.join(', ')}.`);
    }
  }
  return words;
}

function wholeNumber(words: DsnWords, key: 'port' | 'connect_timeout', max: number): number | undefined {
  const text = words[key];
  if (!text) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max) {
    throw new Error(`${key} in the PostgreSQL address must be a whole number from 1 to ${max}, not ${text}.`);
  }
  return value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('The PostgreSQL address has a % that is not followed by two hex digits; write % as %25.');
  }
}

/** `sslmode` as libpq means it; the modes that silently fall back to plain text are refused. */
function sslOptions(words: DsnWords): ConnectionOptions | false | undefined {
  const { sslmode, sslrootcert, sslcert, sslkey } = words;
  if (sslmode === undefined && !sslrootcert && !sslcert && !sslkey) return undefined;
  const files: ConnectionOptions = {
    ...(sslrootcert && sslrootcert !== 'system' && { ca: readFileSync(sslrootcert, 'utf8') }),
    ...(sslcert && { cert: readFileSync(sslcert, 'utf8') }),
    ...(sslkey && { key: readFileSync(sslkey, 'utf8') }),
  };
  switch (sslmode) {
    case 'disable':
      return false;
    case 'require':
      return sslrootcert ? withoutNameCheck(files) : { ...files, rejectUnauthorized: false };
    case 'verify-ca':
      return withoutNameCheck(files);
    case undefined:
    case 'verify-full':
      return { ...files, rejectUnauthorized: true };
    default:
      throw new Error(
        `sslmode in the PostgreSQL address must be disable, require, verify-ca or verify-full, not ${sslmode}.`,
      );
  }
}

function withoutNameCheck(files: ConnectionOptions): ConnectionOptions {
  return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
}
