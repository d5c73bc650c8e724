import { isIPv6 } from 'node:net';
import type { Config } from '@kontor/kernel';
import type { Command } from './command.ts';

const limitMs = 5_000;

export const health: Command = {
  name: 'health',
  takes: '',
  help: 'Checks whether the running server answers; the exit code is the result.',
  words: [0, 0],
  options: [
    { name: 'url', value: 'URL', help: 'The address to check; by default where this configuration listens.' },
    { name: 'ready', help: 'Check readiness, including the database.' },
  ],
  async run({ config, option, has }) {
    const path = has('ready') ? '/api/health/ready' : '/api/health';
    const base = option('url') ?? addressOf(config);
    if (!URL.canParse(path, base)) throw new Error(`${base} is not an address such as http://127.0.0.1:8080.`);
    const url = new URL(path, base);
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) }).catch((error: Error) => {
      const { code, message = error.message } = (error.cause ?? error) as { code?: string; message?: string };
      throw new Error(`${url.href} does not answer: ${code ?? message}.`);
    });
    const text = (await answer.text()).slice(0, 500);
    if (!answer.ok) throw new Error(`${url.href} answered ${answer.status}: ${text}`);
    console.log(text);
  },
};

/** A server that listens everywhere is checked on this machine. */
function addressOf({ httpInterface, httpPort }: Config): string {
  const host = ['0.0.0.0', '::'].includes(httpInterface) ? '127.0.0.1' : httpInterface;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${httpPort}`;
}
