/** The configuration of a process, read once. `apps/server/config` reads it and documents each key. */
export interface Config {
  readonly dbDsn: string;
  readonly dataDir: string;
  readonly httpInterface: string;
  readonly httpPort: number;
  readonly httpKeepAliveSeconds: number;
  readonly httpHeadersSeconds: number;
  readonly httpBodySeconds: number;
  readonly httpSilenceSeconds: number;
  readonly httpDrainSeconds: number;
  /** Processes behind the listener. */
  readonly workers: number;
  readonly addonsPath: readonly string[];
  /** The folder of added addons; empty: `addons` in the data directory. */
  readonly addonsDir: string;
  readonly addonUpload: boolean;
  readonly dbReadReplicaDsn: string;
  /** The same database without the pooler of `dbDsn`; empty: there is no pooler. */
  readonly dbDirectDsn: string;
  readonly dbMaxOpenConns: number;
  readonly dbWaitSeconds: number;
  readonly dbAnswerSeconds: number;
  readonly dbStatementSeconds: number;
  readonly rateLimitRpm: number;
  readonly trustedProxies: readonly string[];
  readonly secureCookies: 'auto' | boolean;
  /** Encrypts the secrets of second factors in the database; empty: they are stored in plain text. */
  readonly factorKey: string;
  /** The OpenID Connect provider for sign-in; empty: none. */
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  /** The label of its button. */
  readonly oidcLabel: string;
  /** Whether accounts are created for unknown users of the provider, and in which group. */
  readonly oidcCreate: boolean;
  readonly oidcGroup: string;
  readonly sessionIdleMinutes: number;
  readonly sessionMaxDays: number;
  readonly setupToken: string;
  /** The public address of this server, such as `https://kontor.example.com`; empty: from the settings. */
  readonly baseUrl: string;
  readonly smtpHost: string;
  readonly smtpPort: number;
  readonly smtpUser: string;
  readonly smtpPassword: string;
  readonly smtpFrom: string;
  readonly smtpTls: 'starttls' | 'tls' | 'none';
  /** Internal hosts and networks that requests of addons may reach although they are not public. */
  readonly webhookAllow: readonly string[];
  readonly mapTiles: string;
  readonly mapTilesCredit: string;
  readonly busEnabled: boolean;
  readonly cronEnabled: boolean;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly logFile: string;
  readonly devMode: boolean;
  /** The configuration file, or null. */
  readonly configFile: string | null;
  /** Modules to install and to upgrade before listening. */
  readonly init: readonly string[];
  readonly update: readonly string[];
  readonly stopAfterInit: boolean;
  readonly demo: boolean;
}

export function hasMail({ smtpHost, smtpFrom }: Config): boolean {
  return smtpHost !== '' && smtpFrom !== '';
}

export function hasProvider({ oidcIssuer, oidcClientId }: Config): boolean {
  return oidcIssuer !== '' && oidcClientId !== '';
}
