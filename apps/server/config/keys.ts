import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseDsn } from '@kontor/database/dsn';

/** Parses the text of a key; undefined if it is invalid. */
interface ValueKind<T> {
  readonly accepted: string;
  parse(text: string, cwd: string): T | undefined;
}

const anyText: ValueKind<string> = { accepted: 'any text', parse: (text) => text };

function wholeNumber(from: number, to: number): ValueKind<number> {
  return {
    accepted: `a whole number from ${from} to ${to}`,
    parse(text) {
      if (!/^\d{1,9}$/.test(text)) return undefined;
      const value = Number(text);
      return value >= from && value <= to ? value : undefined;
    },
  };
}

const longSecret: ValueKind<string> = {
  accepted: 'a text of at least 32 characters, or nothing',
  parse: (text) => (text === '' || text.length >= 32 ? text : undefined),
};

const yes = ['true', '1', 'yes', 'on'];
const no = ['false', '0', 'no', 'off'];

const trueOrFalse: ValueKind<boolean> = {
  accepted: [...yes, ...no].join(', '),
  parse(text) {
    const word = text.toLowerCase();
    if (yes.includes(word)) return true;
    return no.includes(word) ? false : undefined;
  },
};

function oneOf<const T extends string>(...values: readonly T[]): ValueKind<T> {
  return { accepted: values.join(', '), parse: (text) => values.find((value) => value === text.toLowerCase()) };
}

const autoOrBoolean: ValueKind<'auto' | boolean> = {
  accepted: `auto, ${trueOrFalse.accepted}`,
  parse: (text, cwd) => (text.toLowerCase() === 'auto' ? 'auto' : trueOrFalse.parse(text, cwd)),
};

/** Paths are relative to the directory in which the process was started. */
const path: ValueKind<string> = {
  accepted: 'a path',
  parse: (text, cwd) => (text === '' || text.includes('\0') ? undefined : resolve(cwd, text)),
};

const optionalPath: ValueKind<string> = {
  accepted: 'a path, or nothing',
  parse: (text, cwd) => (text === '' ? '' : path.parse(text, cwd)),
};

const pathList: ValueKind<readonly string[]> = {
  accepted: 'paths separated by commas, or nothing',
  parse: (text, cwd) => Object.freeze(items(text).map((item) => resolve(cwd, item))),
};

const dsn: ValueKind<string> = {
  accepted: 'postgres://user:password@host:port/database, or nothing',
  parse(text) {
    if (text === '') return text;
    try {
      parseDsn(text);
      return text;
    } catch {
      return undefined;
    }
  },
};

const networkAddress: ValueKind<string> = {
  accepted: 'an IP address or a host name',
  parse: (text) => (isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined),
};

const addressList: ValueKind<readonly string[]> = {
  accepted: 'IP addresses and networks such as 10.0.0.0/8 separated by commas, or nothing',
  parse(text) {
    const list = items(text);
    return list.every(isNetwork) ? Object.freeze(list) : undefined;
  },
};

const hostList: ValueKind<readonly string[]> = {
  accepted: 'host names, IP addresses and networks such as 10.0.0.0/8 separated by commas, or nothing',
  parse(text) {
    const list = items(text);
    return list.every((item) => isNetwork(item) || isHostName(item)) ? Object.freeze(list) : undefined;
  },
};

const origin: ValueKind<string> = {
  accepted: 'an address such as https://kontor.example.com without a path, or nothing',
  parse(text) {
    if (text === '') return text;
    const url = URL.canParse(text) ? new URL(text) : null;
    return url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href ? url.origin : undefined;
  },
};

const issuer: ValueKind<string> = {
  accepted: 'an https address such as https://login.example.com, or nothing; http only on this machine',
  parse(text) {
    if (text === '') return text;
    const url = URL.canParse(text) ? new URL(text) : null;
    const isNear = url?.protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    return url && (url.protocol === 'https:' || isNear) && url.search === '' && url.hash === '' ? text : undefined;
  },
};

const sender: ValueKind<string> = {
  accepted: 'an e-mail address, alone or as Name <address>, or nothing',
  parse: (text) =>
    text === '' || /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text) ? text : undefined,
};

const tileAddress: ValueKind<string> = {
  accepted: 'an address such as https://tiles.example.com/{z}/{x}/{y}.png, or nothing',
  parse(text) {
    if (text === '') return text;
    const isWhole = ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
    return isWhole && /^https?:\/\/[a-z0-9.-]+(:\d+)?\/[^\s;,'"]*$/i.test(text) ? text : undefined;
  },
};

function items(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function isHostName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) && !/^[\d.]+$/.test(text);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export interface ConfigKey<T> {
  readonly kind: ValueKind<T>;
  /** As it would be written in the file. */
  readonly default: string;
  readonly help: string;
}

function key<T>(kind: ValueKind<T>, initial: string, help: string): ConfigKey<T> {
  return Object.freeze({ kind, default: initial, help });
}

const port = wholeNumber(1, 65_535);

/** Every key of the configuration file, each of which is also an environment variable. */
export const configKeys = Object.freeze({
  db_dsn: key(dsn, '', 'The PostgreSQL database. Empty: the embedded one in `data_dir`.'),
  data_dir: key(path, './data', 'Where the embedded database keeps its data.'),
  http_interface: key(networkAddress, '127.0.0.1', 'The address to listen on.'),
  http_port: key(wholeNumber(0, 65_535), '8080', 'The port to listen on; 0 takes a free one.'),
  http_keep_alive_seconds: key(
    wholeNumber(1, 3_600),
    '75',
    'How long an idle connection stays open. It must be longer than the keep-alive of the balancer, or the balancer may send a request to a closing connection.',
  ),
  http_headers_seconds: key(wholeNumber(1, 600), '15', 'The timeout for the headers of a request.'),
  http_body_seconds: key(
    wholeNumber(1, 3_600),
    '30',
    'The longest silence in a body. One that takes longer than this must come at 1 kB/s or more in each such stretch of time.',
  ),
  http_silence_seconds: key(
    wholeNumber(1, 86_400),
    '120',
    'The longest time without traffic on a connection: the client does not read the answer, or the answer takes too long.',
  ),
  http_drain_seconds: key(
    wholeNumber(0, 600),
    '0',
    'How long a stopping process keeps serving after readiness fails, so that a balancer can remove it.',
  ),
  workers: key(
    wholeNumber(1, 64),
    '1',
    'Processes that serve at the one address, each with connections to the database of its own. More than one: a supervisor starts them and replaces one that ends.',
  ),
  addons_path: key(
    pathList,
    '',
    'Folders with further addons; a later folder overrides an earlier one and the shipped addons.',
  ),
  addons_dir: key(
    optionalPath,
    '',
    'Where `kontor add` stores addons, the same for every process. Empty: `addons` in `data_dir`. `addons_path` overrides it.',
  ),
  addon_upload: key(
    trueOrFalse,
    'false',
    'Whether administrators may add addons in the browser. Addons run with all rights of the server: enable it only if you trust every administrator with the machine.',
  ),
  db_read_replica_dsn: key(dsn, '', 'A read replica that searches and lists prefer. Empty: none.'),
  db_direct_dsn: key(
    dsn,
    '',
    'A direct address of the same database, if `db_dsn` points at a pooler such as PgBouncer in transaction mode. Empty: there is no pooler.',
  ),
  db_max_open_conns: key(
    wholeNumber(1, 10_000),
    '10',
    'The maximum number of database connections in the pool of a process. Each process opens one more for notifications, session locks, events and health checks.',
  ),
  db_wait_seconds: key(
    wholeNumber(1, 600),
    '5',
    'How long a request waits for a connection to the database before it gets `UNAVAILABLE`.',
  ),
  db_answer_seconds: key(
    wholeNumber(1, 600),
    '5',
    'A database that does not respond for this long counts as frozen: all requests get `UNAVAILABLE` until it responds again.',
  ),
  db_statement_seconds: key(
    wholeNumber(1, 86_400),
    '30',
    'The timeout of a statement. For installing and upgrading modules it is ten minutes.',
  ),
  rate_limit_rpm: key(
    wholeNumber(0, 1_000_000),
    '0',
    'Requests per minute and client on `/api/rpc` and `/web/login`; 0: no limit.',
  ),
  trusted_proxies: key(addressList, '', 'Proxies whose forwarding headers are trusted.'),
  secure_cookies: key(autoOrBoolean, 'auto', 'Whether cookies have `Secure`; `auto`: if the request came over TLS.'),
  factor_key: key(
    longSecret,
    '',
    'Encrypts the secrets of second factors in the database. It must be the same for every process; if it is lost, people must set up their factors again. Empty: no encryption.',
  ),
  oidc_issuer: key(
    issuer,
    '',
    'An OpenID Connect provider for sign-in; requires `oidc_client_id`. The redirect address is `base_url` with `/web/login/oidc/callback`.',
  ),
  oidc_client_id: key(anyText, '', 'The client id of this server at the provider.'),
  oidc_client_secret: key(anyText, '', 'The client secret; empty for a public client.'),
  oidc_label: key(anyText, 'OpenID Connect', 'The name of the provider on the button of the sign-in page.'),
  oidc_create: key(
    trueOrFalse,
    'false',
    'Whether people with an unknown verified e-mail become users; they have no password.',
  ),
  oidc_group: key(anyText, 'base.group_user', 'The group of users created this way.'),
  session_idle_minutes: key(wholeNumber(1, 5_256_000), '1440', 'A session expires after this long without a request.'),
  session_max_days: key(wholeNumber(1, 3_650), '7', 'A session expires after this long in any case.'),
  setup_token: key(
    anyText,
    '',
    'The token required by the first-run setup. Empty: setup is possible from the same machine only, or with the link that the start prints if other machines can reach the server.',
  ),
  base_url: key(
    origin,
    '',
    'The public address of this server, for links in mail. Empty: the system parameter `web.base_url`, initially the address of the setup.',
  ),
  smtp_host: key(anyText, '', 'The mail server. Mail is sent once this and `smtp_from` are set.'),
  smtp_port: key(port, '587', 'The port of the mail server.'),
  smtp_user: key(anyText, '', 'The user at the mail server. Empty: no login.'),
  smtp_password: key(anyText, '', 'The password at the mail server.'),
  smtp_from: key(sender, '', 'The sender of mail.'),
  smtp_tls: key(oneOf('starttls', 'tls', 'none'), 'starttls', 'How the connection to the mail server is encrypted.'),
  webhook_allow: key(
    hostList,
    '',
    'Internal hosts and networks that requests of addons, such as webhooks, may reach. Empty: only the public internet.',
  ),
  map_tiles: key(
    tileAddress,
    '',
    'A map tile server; pages may load pictures from its host. Empty: maps use the shipped data.',
  ),
  map_tiles_credit: key(anyText, '', 'The attribution of the map tiles.'),
  bus_enabled: key(trueOrFalse, 'true', 'Whether browsers receive live events over a WebSocket.'),
  cron_enabled: key(trueOrFalse, 'true', 'Whether this process runs scheduled jobs.'),
  log_level: key(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The minimum level of logged messages.',
  ),
  log_file: key(optionalPath, '', 'The file to log to. Empty: standard output.'),
  dev_mode: key(trueOrFalse, 'false', 'For addon developers: reloads on changes, and more details in errors.'),
});

export type ConfigKeyName = keyof typeof configKeys;
export const configKeyNames = Object.freeze(Object.keys(configKeys)) as readonly ConfigKeyName[];

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;
type ValueOf<Key> = Key extends ConfigKey<infer T> ? T : never;

/** The values of all keys under their names in code: `http_port` is `httpPort`. */
export type KeyValues = {
  readonly [Name in ConfigKeyName as Camel<Name>]: ValueOf<(typeof configKeys)[Name]>;
};

export function propertyName(name: ConfigKeyName): keyof KeyValues {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof KeyValues;
}

export function environmentName(name: ConfigKeyName): string {
  return `KONTOR_${name.toUpperCase()}`;
}
