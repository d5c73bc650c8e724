import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { createPlaces, type Place, type Places, type WantedKind, wantedKinds } from './places.ts';

/** Address and credentials of a PostgreSQL, from `parseDsn` or the embedded server. */
export type ConnectionConfig = Readonly<
  Pick<
    ClientConfig,
    'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'options' | 'application_name' | 'enableChannelBinding'
  > & {
    connectTimeoutMs?: number;
    /** Set if the address names several servers, or requires a kind of server. */
    places?: Places;
  }
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
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
] as const;

type Keyword = (typeof known)[number];
type DsnWords = Partial<Record<Keyword, string>>;

const shape =
  'postgres://user:password@host:port/database, with ?host=/directory for a unix socket and host1:port1,host2:port2 for several servers';

/** Reads a postgres:// URL or libpq's `key=value` form. Messages never repeat the address: it may contain a password. */
export function parseDsn(dsn: string): ConnectionConfig {
  const words = /^postgres(?:ql)?:\/\//i.test(dsn) ? fromUrl(dsn) : fromKeywords(dsn);
  const { user, password, dbname, application_name, options } = words;
  const servers = placesOf(words);
  const places = toPlaces(servers, words.target_session_attrs);
  const connectTimeout = wholeNumber('connect_timeout', words.connect_timeout, 3_600);
  const ssl = sslOptions(words);
  return {
    ...servers[0],
    ...(user && { user }),
    ...(password && { password }),
    ...(dbname && { database: dbname }),
    ...(application_name && { application_name }),
    ...(options && { options }),
    ...(connectTimeout && { connectTimeoutMs: connectTimeout * 1_000 }),
    ...(words.channel_binding === 'require' && { enableChannelBinding: true }),
    ...(ssl !== undefined && { ssl }),
    ...(places && { places }),
  };
}

/** Hosts and ports are lists of the same length; a single port applies to all. */
function placesOf({ host = '', port = '' }: DsnWords): readonly [Place, ...Place[]] {
  const hosts = host.split(',');
  const ports = port.split(',').map((each) => wholeNumber('port', each, 65_535));
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new Error(`The PostgreSQL address names ${hosts.length} hosts and ${ports.length} ports.`);
  }
  const toPlace = (name: string, index: number): Place => {
    const number = ports.length === 1 ? ports[0] : ports[index];
    return { ...(name && { host: name }), ...(number && { port: number }) };
  };
  return hosts.map(toPlace) as [Place, ...Place[]];
}

/** With several servers the primary is used, unless the address says otherwise. */
function toPlaces(servers: readonly Place[], wanted: string | undefined): Places | null {
  if (servers.length === 1 && wanted === undefined) return null;
  const kind = wanted ?? 'read-write';
  if (!(wantedKinds as readonly string[]).includes(kind)) {
    const accepted = wantedKinds.join(', ');
    throw new Error(`target_session_attrs in the PostgreSQL address must be one of ${accepted}, not ${kind}.`);
  }
  return createPlaces(servers, kind as WantedKind);
}

function fromUrl(dsn: string): DsnWords {
  const [single, servers] = takeServers(dsn);
  const url = URL.canParse(single) ? new URL(single) : withLocalHost(single);
  if (!url || url.hash) throw new Error(`Not a PostgreSQL address; expected ${shape}.`);
  const words: Record<string, string> = {
    host: decode(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    user: decode(url.username),
    password: decode(url.password),
    dbname: decode(url.pathname.slice(1)),
    ...servers,
  };
  for (const [key, value] of url.searchParams) words[key] = value;
  return checked(words);
}

/** `postgres://a:1,b:2/db` is not a URL: the servers are cut out and replaced by one. */
function takeServers(dsn: string): readonly [string, { readonly host?: string; readonly port?: string }] {
  const [, before = '', list = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(dsn) ?? [];
  if (!list.includes(',')) return [dsn, {}];
  const servers = list.split(',').map((each) => /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(each));
  if (servers.some((each) => each === null)) throw new Error(`Not a PostgreSQL address; expected ${shape}.`);
  const host = servers.map((each) => decode(each?.[1] ?? '').replace(/^\[(.*)\]$/, '$1')).join(',');
  const port = servers.map((each) => each?.[2] ?? '').join(',');
  return [`${before}localhost${rest}`, { host, port }];
}

/** `postgres://user@/db?host=/run/postgresql` has an empty host, which URL rejects beside a user. */
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

function wholeNumber(key: 'port' | 'connect_timeout', text: string | undefined, max: number): number | undefined {
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

/** `sslmode` as in libpq; modes that silently fall back to plain text are rejected. */
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
