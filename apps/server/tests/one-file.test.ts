import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kontorVersion } from '@kontor/kernel';
import { createTestDatabase, isLong, preparedDatabase } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
let folder = '';

beforeEach(() => {
  // Beside the build's own folder, as it looks around itself for the rest.
  folder = mkdtempSync(join(root, 'dist/one-file-'));
  cpSync(join(root, 'dist/start'), folder, { recursive: true, preserveTimestamps: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Whether V8 took back what was kept, and that the code does its work either way. */
function isKept(...flags: string[]): boolean {
  const script = `const { isKept, part } = await import('./main.js');
    console.log(isKept());
    await part('main').main(['--version']);`;
  const said = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], { cwd: folder });
  const [kept, version] = said.toString().trim().split('\n');
  expect(version).toBe(`Kontor ${kontorVersion()}`);
  return kept === 'true';
}

it('GEN-13 a start takes what V8 made of the code when it was built', () => {
  expect(isKept()).toBe(true);
});

it('GEN-13 letters of any script are the same in the code that is read byte by byte', () => {
  for (const name of ['server.cjs', 'bootstrap.cjs']) {
    const [line] = /^.*[\u0080-\uffff].*$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    expect(line, name).toBeUndefined();
  }
});

long('GEN-13 what a start runs was compiled when it was built, so that it compiles next to nothing', async () => {
  const { dsn, drop } = await createTestDatabase({ template: await preparedDatabase({}) });
  const keptBytes = () => statSync(join(folder, 'server.cjs.code')).size;
  const script = `const { keepCode, main } = await import('./main.js');
    const address = await main(process.argv.slice(1));
    await (await fetch(address + '/api/health')).text();
    keepCode();
    process.exit();`;
  const flags = ['-d', dsn, '-p', '0', '--data-dir', join(folder, 'data')];
  const env = { PATH: process.env.PATH };
  try {
    const before = keptBytes();
    execFileSync(process.execPath, ['--input-type=module', '-e', script, '--', ...flags], { cwd: folder, env });
    // Of what is only read, without a start at the build, another quarter is compiled.
    expect(keptBytes() / before).toBeLessThan(1.03);
  } finally {
    await drop();
  }
});

it('GEN-15 a start makes room for new objects, once, and takes back what V8 made all the same', () => {
  const script = `const { getHeapSpaceStatistics } = await import('node:v8');
    const room = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    const { bootstrapEarly } = await import('./early.cjs');
    const rooms = [room()];
    for (const argv of [['help'], ['-d', 'postgres://localhost/kontor'], ['-d', 'postgres://localhost/kontor']]) {
      bootstrapEarly(argv);
      rooms.push(room());
    }
    const { isKept } = await import('./main.js');
    console.log(JSON.stringify({ rooms, isTaken: isKept() }));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  const { rooms, isTaken } = JSON.parse(said.toString());
  const [first, afterCommand, ...grown] = rooms;
  for (const small of [first, afterCommand]) expect(small).toBeLessThan(8 * 1024 * 1024);
  expect(grown).toEqual([16 * 1024 * 1024, 16 * 1024 * 1024]);
  expect(isTaken).toBe(true);
});

interface Spoiled {
  readonly how: string;
  readonly spoil?: () => void;
  readonly flags?: readonly string[];
}
const always: readonly Spoiled[] = [
  { how: 'is newer', spoil: () => utimesSync(join(folder, 'server.cjs'), new Date(), new Date()) },
  {
    how: 'was kept by another V8',
    spoil: () => change('server.cjs.code', (code) => `${code.slice(0, 4)}????${code.slice(8)}`),
  },
];
const whenLong: readonly Spoiled[] = [
  { how: 'is longer', spoil: () => change('server.cjs', (text) => `${text}\n`) },
  { how: 'was not kept', spoil: () => rmSync(join(folder, 'server.cjs.code')) },
  { how: 'was kept in half', spoil: () => change('server.cjs.code', (code) => code.slice(0, code.length / 2)) },
  { how: 'runs with other settings of V8', flags: ['--no-lazy-feedback-allocation'] },
];

it.each(isLong ? [...always, ...whenLong] : always)(
  'GEN-13 and compiles it anew where it $how',
  ({ spoil, flags = [] }) => {
    spoil?.();
    expect(isKept(...flags)).toBe(false);
  },
);

it('GEN-13 where source maps are asked for, the code that has them runs', () => {
  rmSync(join(folder, 'server.cjs'));
  const script = `await (await import('./main.js')).main(['--version']);`;
  const flags = ['--enable-source-maps', '--input-type=module', '-e', script];
  expect(execFileSync(process.execPath, flags, { cwd: folder }).toString().trim()).toBe(`Kontor ${kontorVersion()}`);
});

it('GEN-13 threads find their code beside the one file', async () => {
  const thread = (await import(join(folder, 'thread.js'))) as Readonly<Record<string, unknown>>;
  expect(thread.serveTask).toBeTypeOf('function');
});

it('GEN-13 a start that has begun with a wrong configuration says what is wrong, once', () => {
  const script = `await (await import('./main.js')).main(['start', '--http-port', 'none']);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(status).toBe(1);
  expect(stderr.toString().trim().split('\n')).toEqual([expect.stringContaining('http_port')]);
});

/** Changes a file that keeps its time. */
function change(name: string, by: (text: string) => string): void {
  const file = join(folder, name);
  const { atime, mtime } = statSync(file);
  writeFileSync(file, by(readFileSync(file, 'latin1')), 'latin1');
  utimesSync(file, atime, mtime);
}
