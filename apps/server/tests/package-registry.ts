import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PackageRegistry {
  readonly url: string;
  /** What npm puts into its configuration file to be let in. */
  readonly npmrc: string;
  publish(name: string, version: string, tarball: Buffer): void;
  close(): Promise<void>;
}

/** A private npm registry on this machine: who has no token is told nothing. */
export async function openRegistry(): Promise<PackageRegistry> {
  const token = 'a-token-of-the-registry';
  const packages = new Map<string, Map<string, Buffer>>();
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"unauthorized"}');
      return;
    }
    const [path = '', file] = decodeURIComponent((request.url ?? '').slice(1)).split('/-/');
    const versions = packages.get(path);
    const tarball = file && versions?.get(file.replace(/\.tgz$/, ''));
    if (tarball) return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball);
    if (!versions || file) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(about(path, versions)));
  });
  const about = (name: string, versions: ReadonlyMap<string, Buffer>) => ({
    name,
    'dist-tags': { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries(
      [...versions].map(([version, tarball]) => [
        version,
        { name, version, dist: { tarball: `${url}${name}/-/${version}.tgz`, integrity: integrityOf(tarball) } },
      ]),
    ),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    npmrc: `@acme:registry=${url}\n${url.replace('http:', '')}:_authToken=${token}\n`,
    publish(name, version, tarball) {
      packages.set(name, (packages.get(name) ?? new Map()).set(version, tarball));
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}
