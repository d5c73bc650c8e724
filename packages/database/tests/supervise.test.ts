import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Crash } from '../embedded/embedded-server.ts';
import { explainFailure } from '../embedded/explain-failure.ts';
import type { Postmaster } from '../embedded/start-postmaster.ts';
import { supervise } from '../embedded/supervise.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const log = { info: () => {}, warn: () => {} };

interface FakeServer extends Postmaster {
  crash(reason: string): void;
}
let nextPid = 1;
function fakeServer(): FakeServer {
  let end: (reason: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { pid: nextPid++, ended, crash: end, stop: async () => end('stopped') };
}

/** Lets everything that can go on without time passing go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('GEN-9 a server that keeps crashing is restarted ever later, for ever', async () => {
  const first = fakeServer();
  let last = first;
  const pauses: number[] = [];
  const crashes: Crash[] = [];
  const restart = async (): Promise<Postmaster> => {
    last = fakeServer();
    return last;
  };
  const supervisor = supervise({ first, restart, log, pause: async (ms) => void pauses.push(ms) });
  supervisor.onCrash((crash) => crashes.push(crash));
  for (let i = 0; i < 40; i++) {
    last.crash(`crash ${i}`);
    await settle();
  }
  expect(crashes).toHaveLength(40);
  expect(pauses).toHaveLength(40);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(15_000);
  expect(supervisor.pid).toBe(last.pid);
  await supervisor.stop();
});

test('GEN-9 crashes far apart are always answered', async () => {
  let last = fakeServer();
  const restart = vi.fn(async () => {
    last = fakeServer();
    return last;
  });
  const supervisor = supervise({ first: last, restart, log, pause: async () => {} });
  for (let i = 0; i < 10; i++) {
    last.crash('now and then');
    await settle();
    vi.setSystemTime(Date.now() + 130_000);
  }
  expect(restart).toHaveBeenCalledTimes(10);
  await supervisor.stop();
});

test('GEN-9 a restart that fails is tried again, and a stop meanwhile ends it', async () => {
  const first = fakeServer();
  const restart = vi.fn<() => Promise<Postmaster>>().mockRejectedValue(new Error('disk full'));
  const crashes: Crash[] = [];
  const until = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  const pause = (_: number, signal: AbortSignal): Promise<void> =>
    restart.mock.calls.length < 2 ? Promise.resolve() : until(signal);
  const supervisor = supervise({ first, restart, log, pause });
  supervisor.onCrash((crash) => crashes.push(crash));
  first.crash('gone');
  await settle();
  expect(crashes.map((crash) => crash.reason)).toEqual(['gone', 'disk full', 'disk full']);
  await supervisor.stop();
  expect(restart).toHaveBeenCalledTimes(2);
});

test('GEN-9 a stop is no crash', async () => {
  const first = fakeServer();
  const crashed = vi.fn();
  const supervisor = supervise({ first, restart: async () => fakeServer(), log });
  supervisor.onCrash(crashed);
  await supervisor.stop();
  expect(crashed).not.toHaveBeenCalled();
});

test.each([
  [
    'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device',
    /disk is full.*It said: PANIC: {2}could not write/,
  ],
  ['initdb: error: could not look up effective user ID 4242: user does not exist', /Add it to \/etc\/passwd/],
  [
    'postgres: error while loading shared libraries: libfoo.so.1: cannot open shared object file',
    /library of the system is missing/,
  ],
  ['', /^The database server ended \(exit code 1\)\.$/],
])('GEN-9 explains %j', (lines, expected) => {
  expect(explainFailure(lines, 'exit code 1')).toMatch(expected);
});
