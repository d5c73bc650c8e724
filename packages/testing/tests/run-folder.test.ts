import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeRunFolder } from '../run-folder.ts';

const place = mkdtempSync(join(tmpdir(), 'kontor-places-'));
const memory = join(place, 'memory');
const disk = join(place, 'disk');
mkdirSync(memory);
mkdirSync(disk);
afterAll(() => rmSync(place, { recursive: true }));

it('DEV-7 makes the databases of a run in memory where there is room, and on the disk where there is not', async () => {
  expect(dirname(await makeRunFolder({ memory, disk, room: 1 }))).toBe(memory);
  expect(dirname(await makeRunFolder({ memory, disk, room: Number.MAX_SAFE_INTEGER }))).toBe(disk);
  expect(dirname(await makeRunFolder({ memory: join(place, 'none'), disk, room: 1 }))).toBe(disk);
});

it('DEV-7 leaves nothing in memory when a run ends, also one that is interrupted', async () => {
  const before = new Set(process.listeners('exit'));
  const folder = await makeRunFolder({ memory, disk, room: 1 });
  const [end] = process.listeners('exit').filter((listener) => !before.has(listener));
  end?.(0);
  expect(existsSync(folder)).toBe(false);
});

it('DEV-7 takes away what a killed run left in memory, and nothing of a run that goes on or begins', async () => {
  const [killed, going, beginning, other] = ['kontor-test-k', 'kontor-test-g', 'kontor-test-b', 'other'].map((name) =>
    join(memory, name),
  ) as [string, string, string, string];
  for (const folder of [killed, going, beginning, other])
    mkdirSync(join(folder, 'postgres/socket'), { recursive: true });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(going, 'postgres/socket/.s.PGSQL.5432'), resolve));
  for (const folder of [killed, going, other]) utimesSync(folder, 0, 0);
  await makeRunFolder({ memory, disk, room: 1 });
  expect([killed, going, beginning, other].map(existsSync)).toEqual([false, true, true, true]);
  server.close();
});
