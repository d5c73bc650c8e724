import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { kontorVersion } from '@kontor/kernel';
import { openEndpoint } from '../mcp/endpoint.ts';
import { createMcpServer } from '../mcp/http.ts';
import { openSession } from '../mcp/session.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { type Command, type Given, UsageError } from './command.ts';

export const mcp: Command = {
  name: 'mcp',
  takes: '--url URL',
  help: 'Serves agents through the Model Context Protocol, on standard input and output or over HTTP.',
  details: `It is a plain client of the server at --url. On standard input and output, the key of the agent is
in --key-file or in the environment variable KONTOR_KEY. With --http each caller sends their own key as a bearer token.`,
  words: [0, 0],
  options: [
    { name: 'url', value: 'URL', help: 'The address of the server, such as https://kontor.example.com.' },
    { name: 'key-file', value: 'FILE', help: 'The key, in the first line of this file.' },
    { name: 'http', help: 'Listen for HTTP on this machine, at /mcp.' },
    { name: 'port', value: 'PORT', help: 'With --http: the port; default: 8765.' },
    { name: 'listen', value: 'ADDRESS', help: 'With --http: the address to listen on; default: 127.0.0.1.' },
    {
      name: 'allow-host',
      value: 'NAMES',
      help: 'With --http: further accepted host names, separated by commas.',
    },
    { name: 'allow-origin', value: 'ORIGINS', help: 'With --http: accepted origins of pages, separated by commas.' },
  ],
  async run(given) {
    const url = addressOf(given);
    if (given.has('http')) return listen(given, url);
    const conversation = {
      session: openSession(),
      endpoint: openEndpoint(url, keyOf(given)),
      serverVersion: kontorVersion(),
    };
    await serveStdio(conversation, process.stdin, process.stdout);
  },
};

function addressOf({ option }: Given): string {
  const url = option('url') ?? '';
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError('Name the server: kontor mcp --url https://kontor.example.com. See kontor mcp --help.');
}

function keyOf({ option }: Given): string {
  const file = option('key-file');
  const key = (
    file === undefined ? (process.env.KONTOR_KEY ?? '') : (readFileSync(file, 'utf8').split('\n')[0] ?? '')
  ).trim();
  if (/^sk_[0-9a-f]{48}$/.test(key)) return key;
  throw new UsageError('Set the key of an agent, sk_…, in --key-file or KONTOR_KEY. See kontor mcp --help.');
}

async function listen({ option }: Given, url: string): Promise<void> {
  const port = Number(option('port') ?? 8765);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError('--port is a number up to 65535.');
  const list = (name: string) => (option(name) ?? '').split(',').flatMap((each) => each.trim() || []);
  const server = createMcpServer({
    ...{ url, serverVersion: kontorVersion() },
    ...{ hosts: list('allow-host'), origins: list('allow-origin') },
  });
  server.listen(port, option('listen') ?? '127.0.0.1');
  await once(server, 'listening');
  const { address, port: taken, family } = server.address() as AddressInfo;
  console.log(`Agents are served at http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => server.close());
  await once(server, 'close');
}
