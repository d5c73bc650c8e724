import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Account, isRoot, unprivilegedAccount } from '../embedded/account.ts';
import { prepareBinaries } from '../embedded/prepare-binaries.ts';
import { collectLog, openDirectory } from './embedded-fixture.ts';

let directory: ReturnType<typeof openDirectory>;
beforeEach(() => {
  directory = openDirectory();
});
afterEach(() => directory.remove());

const links = [
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
];

/** A package as npm unpacks it without install scripts: no links. */
function unpack(parent = directory.path): string {
  const native = join(parent, 'package', 'native');
  const files = [
    'bin/postgres',
    'bin/initdb',
    'lib/libpq.so.5.18',
    'lib/libpq.a',
    'lib/postgresql/plpgsql.so',
    'share/postgresql/postgres.bki',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(native, file)), { recursive: true });
    writeFileSync(join(native, file), file, { mode: file.startsWith('bin') ? 0o755 : 0o644 });
  }
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  return native;
}

function prepare(native: string, account: Account | null = null, copyTo = [join(directory.path, 'copies')]): string {
  return prepareBinaries({ directory: native, version: '18.4.0', major: 18 }, { account, copyTo, log: collectLog() });
}

test('GEN-9 missing library links are made in place, and only missing ones', () => {
  const native = unpack();
  symlinkSync('libpq.so.5.18', join(native, 'lib/libpq.so.5'));
  expect(prepare(native)).toBe(native);
  expect(readlinkSync(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
  expect(readlinkSync(join(native, 'lib/libpq.so'))).toBe('libpq.so.5.18');
  expect(prepare(native)).toBe(native);
});

describe.runIf(isRoot())('as root', () => {
  test('GEN-9 programs in a closed directory are copied where the account can use them', () => {
    const closed = join(directory.path, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const native = unpack(closed);
    const copy = prepare(native, unprivilegedAccount());
    expect(copy).toBe(join(directory.path, 'copies', 'postgres-18.4.0'));
    expect(readlinkSync(join(copy, 'lib/libpq.so'))).toBe('libpq.so.5.18');
    expect(existsSync(join(copy, 'lib/libpq.a'))).toBe(false);
    expect(statSync(join(copy, 'bin/postgres')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(native, 'lib')).isDirectory()).toBe(true);
    expect(prepare(native, unprivilegedAccount())).toBe(copy);
  });

  test('GEN-9 so are programs that a strict umask closed', () => {
    const native = unpack();
    chmodSync(join(native, 'bin/postgres'), 0o700);
    chmodSync(join(native, 'lib/libpq.so.5.18'), 0o600);
    const copy = prepare(native, unprivilegedAccount());
    expect(copy).not.toBe(native);
    expect(statSync(join(copy, 'lib/libpq.so.5.18')).mode & 0o777).toBe(0o644);
  });

  test('GEN-9 where no copy is possible the message has the remedy', () => {
    const closed = join(directory.path, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const blocked = join(directory.path, 'file');
    writeFileSync(blocked, '');
    expect(() => prepare(unpack(closed), unprivilegedAccount(), [join(blocked, 'below')])).toThrow(
      /cannot be used by nobody.*Make that directory readable, or set db_dsn/,
    );
  });
});
