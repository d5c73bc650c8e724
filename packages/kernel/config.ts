/** The configuration of a start, read once. `apps/server/config` reads it and says what each key means. */
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
  /** Processes behind the one listener. */
  readonly workers: number;
  readonly addonsPath: readonly string[];
  /** Where added addons live; empty: `addons` in the data directory. */
  readonly addonsDir: string;
  readonly addonUpload: boolean;
  readonly dbReadReplicaDsn: string;
  /** The same database without the pooler that `dbDsn` leads to; empty: there is no pooler. */
  readonly dbDirectDsn: string;
  readonly dbMaxOpenConns: number;
  readonly dbWaitSeconds: number;
  readonly dbAnswerSeconds: number;
  readonly dbStatementSeconds: number;
  readonly rateLimitRpm: number;
  readonly trustedProxies: readonly string[];
  readonly secureCookies: 'auto' | boolean;
  /** Seals the secrets of second factors in the database; empty: they are kept as they are. */
  readonly factorKey: string;
  /** The OpenID Connect provider that people may sign in at; empty: there is none. */
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  /** What the button calls it. */
  readonly oidcLabel: string;
  /** Whether people whom the provider knows and Kontor does not are made, and in which group. */
  readonly oidcCreate: boolean;
  readonly oidcGroup: string;
  readonly sessionIdleMinutes: number;
  readonly sessionMaxDays: number;
  readonly setupToken: string;
  /** Where people reach this server, such as `https://kontor.example.com`; empty: as the settings say. */
  readonly baseUrl: string;
  readonly smtpHost: string;
  readonly smtpPort: number;
  readonly smtpUser: string;
  readonly smtpPassword: string;
  readonly smtpFrom: string;
  readonly smtpTls: 'starttls' | 'tls' | 'none';
  /** Hosts and networks inside that requests of addons may reach although they are not public. */
  readonly webhookAllow: readonly string[];
  readonly mapTiles: string;
  readonly mapTilesCredit: string;
  readonly busEnabled: boolean;
  readonly cronEnabled: boolean;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly logFile: string;
  readonly devMode: boolean;
  /** The file that was read, or null. */
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
