import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frontendReader } from './frontend-reader.mjs';

/** Stands between a server and its database and writes down what is sent: the limit must run the very same SQL. */
export async function openCapture(dsn) {
  const url = new URL(dsn);
  const upstream = upstreamOf(url);
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let sent = [];
  const sockets = new Set();
  const proxy = createServer((near) => {
    const far = connect(upstream);
    const read = frontendReader((statement) => sent.push(statement));
    near.on('data', (chunk) => {
      read(chunk);
      far.write(chunk);
    });
    far.pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise((resolve) => proxy.listen(join(folder, '.s.PGSQL.5432'), resolve));
  url.searchParams.set('host', folder);
  url.searchParams.set('port', '5432');
  return {
    dsn: url.toString(),
    /** What was sent since the last time. */
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function upstreamOf(url) {
  const host = url.searchParams.get('host') ?? url.hostname;
  const port = url.searchParams.get('port') ?? (url.port || '5432');
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
}
