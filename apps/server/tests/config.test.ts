import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { configKeyNames, environmentName } from '../config/keys.ts';
import { readConfig } from '../config/read-config.ts';

interface Given {
  readonly argv?: readonly string[];
  readonly env?: Record<string, string | undefined>;
  readonly ini?: string;
}

function read({ argv = [], env = {}, ini }: Given) {
  return readConfig({
    argv: ini === undefined ? argv : ['-c', 'kontor.ini', ...argv],
    env,
    cwd: '/srv/kontor',
    readFile(path) {
      if (ini === undefined || path !== '/srv/kontor/kontor.ini') throw new Error(`ENOENT: ${path}`);
      return ini;
    },
  });
}

function problemsOf(given: Given): readonly string[] {
  try {
    read(given);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

describe('defaults', () => {
  it('GEN-3 has the documented default for every key', () => {
    expect(read({})).toEqual({
      configFile: null,
      init: [],
      update: [],
      stopAfterInit: false,
      demo: false,
      dbDsn: '',
      dataDir: '/srv/kontor/data',
      httpInterface: '127.0.0.1',
      httpPort: 8080,
      httpKeepAliveSeconds: 75,
      httpHeadersSeconds: 15,
      httpBodySeconds: 30,
      httpSilenceSeconds: 120,
      httpDrainSeconds: 0,
      dbWaitSeconds: 5,
      dbAnswerSeconds: 5,
      dbStatementSeconds: 30,
      addonsPath: [],
      dbReadReplicaDsn: '',
      dbDirectDsn: '',
      dbMaxOpenConns: 10,
      rateLimitRpm: 0,
      trustedProxies: [],
      webhookAllow: [],
      secureCookies: 'auto',
      factorKey: '',
      oidcIssuer: '',
      oidcClientId: '',
      oidcClientSecret: '',
      oidcLabel: 'OpenID Connect',
      oidcCreate: false,
      oidcGroup: 'base.group_user',
      sessionIdleMinutes: 1440,
      sessionMaxDays: 7,
      setupToken: '',
      baseUrl: '',
      smtpHost: '',
      smtpPort: 587,
      smtpUser: '',
      smtpPassword: '',
      smtpFrom: '',
      smtpTls: 'starttls',
      addonsDir: '',
      workers: 1,
      addonUpload: false,
      busEnabled: true,
      cronEnabled: true,
      logLevel: 'info',
      mapTiles: '',
      mapTilesCredit: '',
      logFile: '',
      devMode: false,
    });
  });

  it('GEN-3 cannot be changed afterwards', () => {
    const config = read({ ini: '[options]\naddons_path = a' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.addonsPath)).toBe(true);
  });
});

describe('precedence', () => {
  const ini = '[options]\nhttp_port = 1001\ndata_dir = from-file\nlog_level = debug';

  it('GEN-3 a flag wins over the environment, that over the file, that over the default', () => {
    expect(read({ ini }).httpPort).toBe(1001);
    expect(read({ ini, env: { KONTOR_HTTP_PORT: '1002' } }).httpPort).toBe(1002);
    expect(read({ ini, env: { KONTOR_HTTP_PORT: '1002' }, argv: ['-p', '1003'] }).httpPort).toBe(1003);
    expect(read({ ini, argv: ['-p', '1003'] })).toMatchObject({ dataDir: '/srv/kontor/from-file', logLevel: 'debug' });
  });

  it('GEN-3 every key can come from the environment', () => {
    const values: Record<string, string> = {
      db_dsn: 'postgres://u@h/d',
      db_read_replica_dsn: 'postgresql://u@h/d',
      db_direct_dsn: 'postgresql://u@h/e',
      http_interface: '::',
      smtp_from: 'Kontor <k@example.com>',
      oidc_create: 'true',
      addon_upload: 'true',
      oidc_issuer: 'https://login.example.com',
      factor_key: 'x'.repeat(32),
      trusted_proxies: '10.0.0.0/8, ::1',
      webhook_allow: 'crm.lan, 10.1.0.0/16, fd00::/8',
      map_tiles: 'http://localhost:9/{z}/{x}/{y}.png',
    };
    const env = Object.fromEntries(configKeyNames.map((key) => [environmentName(key), values[key] ?? otherValue(key)]));
    expect(read({ env })).toMatchObject({
      dbDsn: 'postgres://u@h/d',
      httpInterface: '::',
      trustedProxies: ['10.0.0.0/8', '::1'],
      webhookAllow: ['crm.lan', '10.1.0.0/16', 'fd00::/8'],
    });
  });

  it('GEN-3 a bad value that is overruled does not count', () => {
    expect(read({ env: { KONTOR_HTTP_PORT: 'x' }, argv: ['--http-port=80'] }).httpPort).toBe(80);
  });
});

function otherValue(key: string): string {
  const words: Record<string, string> = {
    data_dir: 'd',
    http_port: '1',
    http_keep_alive_seconds: '6',
    http_headers_seconds: '6',
    http_body_seconds: '6',
    http_silence_seconds: '6',
    http_drain_seconds: '6',
    db_wait_seconds: '6',
    db_answer_seconds: '6',
    db_statement_seconds: '6',
    db_max_open_conns: '2',
    rate_limit_rpm: '3',
    secure_cookies: 'TRUE',
    session_idle_minutes: '4',
    session_max_days: '5',
    smtp_port: '25',
    smtp_tls: 'none',
    bus_enabled: 'off',
    cron_enabled: 'no',
    workers: '2',
    log_level: 'warn',
    dev_mode: '1',
  };
  return words[key] ?? '';
}

describe('flags', () => {
  it('GEN-3 takes every flag in each of its forms', () => {
    const long = read({
      argv: [
        '--database',
        'postgres://h/d',
        '--http-port=81',
        '--data-dir',
        'x',
        '--init',
        'crm, sale',
        '--update=base',
        '--stop-after-init',
        '--demo',
      ],
    });
    expect(long).toMatchObject({
      dbDsn: 'postgres://h/d',
      httpPort: 81,
      dataDir: '/srv/kontor/x',
      init: ['crm', 'sale'],
      update: ['base'],
      stopAfterInit: true,
      demo: true,
    });
    const short = read({ argv: ['-d', 'postgres://h/d', '-p81', '-i', 'crm', '-i', 'sale,crm', '-u', 'base'] });
    expect(short).toMatchObject({ dbDsn: 'postgres://h/d', httpPort: 81, init: ['crm', 'sale'], update: ['base'] });
  });

  it.each([
    [['--http-prot', '81'], 'Unknown flag --http-prot. Did you mean "--http-port"? Accepted: -c/--config FILE, '],
    [['--level=3'], 'Unknown flag --level with the value "3".'],
    [['-x'], 'Unknown flag -x.'],
    [['serve'], 'Unknown argument "serve".'],
    [['-p'], '--http-port needs a value: --http-port N.'],
    [['-p', '--demo'], '--http-port needs a value'],
    [['--demo=1'], '--demo takes no value, but was given "1".'],
    [['-p', '-5'], 'http_port has the value "-5" (--http-port). Accepted: a whole number from 0 to 65535.'],
    [['-i', 'crm,,sale'], '--init has the value "". Accepted: names of modules'],
    [['-u', 'Crm'], '--update has the value "Crm".'],
  ])('GEN-3 stops at %j', (argv, message) => {
    expect(problemsOf({ argv }).join('\n')).toContain(message);
  });

  it('GEN-3 says which file cannot be read', () => {
    expect(problemsOf({ argv: ['-c', 'no.ini'] })).toEqual([
      expect.stringMatching(/^--config "\/srv\/kontor\/no\.ini" cannot be read: ENOENT/),
    ]);
  });
});

describe('file', () => {
  it('GEN-3 reads comments, quotes and spaces', () => {
    const config = read({
      ini: [
        '\ufeff; first',
        '# second',
        '',
        '  [options]  ',
        'http_port=81 ; why',
        ' smtp_host  =  mail.example.com\t# here',
        'smtp_password = " a#b;\\"c\\\\ " ; secret',
        "smtp_user = 'd\\e'",
        'setup_token = a#b',
        'log_file =',
        'addons_path = one, /two ,',
      ].join('\r\n'),
    });
    expect(config).toMatchObject({
      httpPort: 81,
      smtpHost: 'mail.example.com',
      smtpPassword: ' a#b;"c\\ ',
      smtpUser: 'd\\e',
      setupToken: 'a#b',
      logFile: '',
      addonsPath: ['/srv/kontor/one', '/two'],
    });
  });

  it.each([
    ['http_port = 1', 'kontor.ini line 1: http_port is outside the section [options].'],
    ['[server]\nhttp_port = 1', 'kontor.ini line 1: [server] is not a section; accepted: [options].'],
    ['[options]\nhttp_port', 'kontor.ini line 2: "http_port" is neither a section nor key = value.'],
    ['[options]\nlog_file = "a', 'kontor.ini line 2: the value of log_file begins with " and does not end with it.'],
    ['[options]\nlog_file = a\nlog_file = b', 'kontor.ini line 3: log_file is given twice, first in line 2.'],
    [
      '[options]\nhttp_prot = 81',
      'Unknown key http_prot with the value "81" (/srv/kontor/kontor.ini line 2). Did you mean "http_port"? Accepted: db_dsn, ',
    ],
    ['[options]\n__proto__ = 1', 'Unknown key __proto__'],
    ['[options]\nsmtp_pasword = hunter2', 'Unknown key smtp_pasword with the value "***"'],
  ])('GEN-3 stops at %j', (ini, message) => {
    expect(problemsOf({ ini }).join('\n')).toContain(message);
  });
});

describe('values', () => {
  it.each([
    ['http_port', '65536', 'a whole number from 0 to 65535'],
    ['http_port', '8080x', 'a whole number'],
    ['http_port', '', 'a whole number'],
    ['db_max_open_conns', '0', 'a whole number from 1 to'],
    ['rate_limit_rpm', '-1', 'a whole number from 0 to'],
    ['session_idle_minutes', '1.5', 'a whole number'],
    ['smtp_tls', 'ssl', 'starttls, tls, none'],
    ['smtp_from', 'nobody', 'an e-mail address'],
    ['secure_cookies', 'maybe', 'auto, true, 1, yes, on, false, 0, no, off'],
    ['bus_enabled', 'ja', 'true, 1, yes, on, false, 0, no, off'],
    ['log_level', 'verbose', 'fatal, error, warn, info, debug, trace, silent'],
    ['trusted_proxies', '10.0.0.0/33', 'IP addresses and networks'],
    ['trusted_proxies', 'proxy', 'IP addresses and networks'],
    [
      'map_tiles',
      'https://tiles.example.com/{z}/{x}.png',
      'an address such as https://tiles.example.com/{z}/{x}/{y}.png',
    ],
    ['map_tiles', 'https://a.example/{z}/{x}/{y}; script-src *', 'an address such as'],
    ['webhook_allow', 'https://crm.lan/', 'host names, IP addresses and networks'],
    ['webhook_allow', '10.0.0.0/33', 'host names, IP addresses and networks'],
    ['http_interface', 'a b', 'an IP address or a host name'],
    ['data_dir', '', 'a path'],
  ])('GEN-3 refuses %s = %j with its name, the value and what is accepted', (key, value, accepted) => {
    const name = `KONTOR_${key.toUpperCase()}`;
    expect(problemsOf({ env: { [name]: value } })).toEqual([
      expect.stringContaining(`${key} has the value "${value}" (${name}). Accepted: ${accepted}`),
    ]);
  });

  it('GEN-3 never shows the password of an address', () => {
    for (const [given, safe] of [
      ['mysql://me:hunter2@host/db', 'mysql://me:***@host/db'],
      ['postgres://me:hunter2@host:nine/db', 'postgres://me:***@host:nine/db'],
      ['hast=a password=hunter2', 'hast=a password=***'],
    ] as const) {
      const [problem] = problemsOf({ argv: ['-d', given] });
      expect(problem).toContain(`db_dsn has the value "${safe}" (--database). Accepted: postgres://`);
      expect(problem).not.toContain('hunter2');
    }
    expect(read({ argv: ['-d', 'host=/run/pg dbname=kontor'] }).dbDsn).toBe('host=/run/pg dbname=kontor');
  });

  it('GEN-3 names every mistake at once', () => {
    expect(problemsOf({ argv: ['--nope'], env: { KONTOR_HTTP_PORT: 'x', KONTOR_NOPE: '1' } })).toHaveLength(3);
  });

  it('GEN-3 knows its own variables from those that others set', () => {
    const env = {
      KONTOR_KEY: 'sk_1',
      KONTOR_TEST_DSN: 'x',
      KONTOR_SERVICE_HOST: '10.0.0.1',
      KONTOR_PORT: 'tcp://10.0.0.1:80',
      KONTOR_PORT_80_TCP_ADDR: 'x',
      HOME: '/root',
    };
    expect(read({ env }).httpPort).toBe(8080);
    expect(problemsOf({ env: { KONTOR_HTTP_PROT: '1' } })[0]).toContain('Did you mean "KONTOR_HTTP_PORT"?');
  });
});
