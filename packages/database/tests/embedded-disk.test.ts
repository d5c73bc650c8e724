import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createDatabase, type EmbeddedServer, sql } from '../index.ts';
import { openDirectory, startForTest } from './embedded-fixture.ts';

/** A file system of so many megabytes; needs the right to mount, which not every container has. */
function mountSmall(path: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', path], { stdio: 'ignore' });
    chmodSync(path, 0o755);
    return true;
  } catch {
    return false;
  }
}
const unmount = (path: string): Buffer => execFileSync('umount', ['-l', path]);

function canMount(): boolean {
  const directory = openDirectory();
  const isMounted = mountSmall(directory.path, 1);
  if (isMounted) unmount(directory.path);
  directory.remove();
  return isMounted;
}

describe.runIf(process.platform === 'linux' && canMount())('GEN-9 the disk is full', () => {
  let server: EmbeddedServer | null = null;
  let directory: ReturnType<typeof openDirectory>;
  afterEach(async () => {
    await server?.stop();
    server = null;
    unmount(directory.path);
    directory.remove();
  });

  test('a first start says so and leaves nothing half made', async () => {
    directory = openDirectory();
    mountSmall(directory.path, 20);
    await expect(startForTest(directory.path)).rejects.toThrow(/No database could be made.*The disk is full/);
    expect(readdirSync(join(directory.path, 'postgres'))).toEqual([]);
  });

  test('callers are told, what was saved stays, and it goes on once there is space', async () => {
    directory = openDirectory();
    mountSmall(directory.path, 150);
    server = await startForTest(directory.path);
    const database = createDatabase({ connection: server.connection, onWarning: () => {} });
    await database.execute(sql`create table filled (text text); insert into filled values ('kept')`);
    const ballast = join(directory.path, 'ballast');
    const { bavail, bsize } = statfsSync(directory.path);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 4_000_000)));
    const fill = sql`insert into filled select repeat(md5(n::text), 200) from generate_series(1, 20000) as n`;
    await expect(
      (async () => {
        for (let i = 0; i < 5; i++) await database.execute(fill);
      })(),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    rmSync(ballast);
    await vi.waitFor(
      async () => expect(await database.arrays(sql`select text from filled where text = 'kept'`)).toEqual([['kept']]),
      {
        timeout: 120_000,
        interval: 100,
      },
    );
    await database.close();
    expect(existsSync(join(server.home, 'cluster', 'PG_VERSION'))).toBe(true);
  });
});
