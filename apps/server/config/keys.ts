import {
  addressList,
  anyText,
  autoOrBoolean,
  dsn,
  networkAddress,
  oneOf,
  optionalPath,
  path,
  pathList,
  sender,
  trueOrFalse,
  type ValueKind,
  wholeNumber,
} from './value-kinds.ts';

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

/** Every key of the configuration file, which is every environment variable too. */
export const configKeys = Object.freeze({
  db_dsn: key(dsn, '', 'The PostgreSQL database. Empty: the embedded one in `data_dir`.'),
  data_dir: key(path, './data', 'Where the embedded database keeps its data.'),
  http_interface: key(networkAddress, '127.0.0.1', 'The address to listen on.'),
  http_port: key(wholeNumber(0, 65_535), '8080', 'The port to listen on; 0 takes a free one.'),
  addons_path: key(
    pathList,
    '',
    'Folders with further addons; a later one wins over an earlier one and over the shipped addons.',
  ),
  db_read_replica_dsn: key(dsn, '', 'A read replica that searches and lists prefer. Empty: none.'),
  db_max_open_conns: key(wholeNumber(1, 10_000), '10', 'Connections to the database that one process opens at most.'),
  rate_limit_rpm: key(
    wholeNumber(0, 1_000_000),
    '0',
    'Requests a minute of one client on `/api/rpc` and `/web/login`; 0: no limit.',
  ),
  trusted_proxies: key(addressList, '', 'Proxies whose forwarding headers are believed.'),
  secure_cookies: key(autoOrBoolean, 'auto', 'Whether cookies carry `Secure`; `auto`: when the request came over TLS.'),
  session_idle_minutes: key(wholeNumber(1, 5_256_000), '1440', 'A session ends after this long without a request.'),
  session_max_days: key(wholeNumber(1, 3_650), '7', 'A session ends after this long in any case.'),
  setup_token: key(
    anyText,
    '',
    'What the first-run setup asks for. Empty: only a direct client on this machine may initialise.',
  ),
  smtp_host: key(anyText, '', 'The mail server. Mail is sent once this and `smtp_from` are set.'),
  smtp_port: key(port, '587', 'The port of the mail server.'),
  smtp_user: key(anyText, '', 'The user at the mail server. Empty: no login.'),
  smtp_password: key(anyText, '', 'The password at the mail server.'),
  smtp_from: key(sender, '', 'The sender of mail.'),
  smtp_tls: key(oneOf('starttls', 'tls', 'none'), 'starttls', 'How the connection to the mail server is encrypted.'),
  bus_enabled: key(trueOrFalse, 'true', 'Whether browsers get live events over a WebSocket.'),
  cron_enabled: key(trueOrFalse, 'true', 'Whether this process runs scheduled jobs.'),
  log_level: key(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'The least severe message that is logged.',
  ),
  log_file: key(optionalPath, '', 'The file to log to. Empty: standard output.'),
  dev_mode: key(trueOrFalse, 'false', 'For developers of addons: reload, and more to say in errors.'),
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
