import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { DebianProgram } from '@kontor/testing/debian-program';
import { vi } from 'vitest';

const deploy = join(import.meta.dirname, '../../../deploy');

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The files under `deploy/proxy` with the places of a test in them. */
export interface Places {
  readonly folder: string;
  readonly port: number;
  readonly upstreams: readonly [number, number];
  /** Between two checks; as in the file if left out. */
  readonly everyMs?: number;
}

/** `deploy/proxy/haproxy.cfg` without TLS. */
export function startHaproxy(
  { path, env }: DebianProgram,
  { folder, port, upstreams, everyMs = 1_000 }: Places,
): Promise<Balancer> {
  const file = join(folder, 'haproxy.cfg');
  const text = readFileSync(join(deploy, 'proxy/haproxy.cfg'), 'utf8')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/ {4}http-request set-header X-Forwarded-Proto https\n/, '')
    .replace('inter 1s', `inter ${everyMs}ms`)
    .replace('127.0.0.1:8080', `127.0.0.1:${upstreams[0]}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${upstreams[1]}`);
  writeFileSync(file, text);
  return started(spawn(path, ['-f', file], { env, stdio: ['ignore', 'pipe', 'pipe'] }), `http://127.0.0.1:${port}`);
}

/** Once it takes connections. */
export async function started(child: ChildProcess, url: string): Promise<Balancer> {
  let told = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => {
      told = (told + piece).slice(-10_000);
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isUp = () => fetch(url, { redirect: 'manual' }).then((answer) => answer.text());
  const hasEnded = ended.then(() => {
    throw new Error(`It ended: ${told}`);
  });
  await Promise.race([vi.waitFor(isUp, { timeout: 120_000, interval: 20 }), hasEnded]);
  hasEnded.catch(() => {});
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Ports that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports = await Promise.all(
    probes.map(
      (probe) =>
        new Promise<number>((resolve) =>
          probe.once('listening', () => resolve((probe.address() as { port: number }).port)),
        ),
    ),
  );
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}
