import type { BusMessage } from '@kontor/protocol';
import { vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Browser } from './browser.ts';

/** A browser's connection to the bus, and all that it heard. */
export interface BusSocket {
  readonly messages: readonly BusMessage[];
  readonly socket: WebSocket;
  of(channel: string): readonly BusMessage['payload'][];
  watch(...records: readonly { model: string; id: number }[]): void;
  /** Settles with the code with which the server closes it. */
  readonly closed: Promise<number>;
  close(): Promise<number>;
}

export async function openBus(browser: Browser, headers: Record<string, string> = {}): Promise<BusSocket> {
  const socket = new WebSocket(`${browser.url.replace('http', 'ws')}/web/wc/bus`, {
    headers: { cookie: cookiesOf(browser), ...headers },
  });
  const messages: BusMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as BusMessage));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return {
    socket,
    messages,
    closed,
    of: (channel) => messages.filter((message) => message.channel === channel).map(({ payload }) => payload),
    watch: (...records) => socket.send(JSON.stringify({ watch: records })),
    close() {
      socket.close();
      return closed;
    },
  };
}

/** The status with which an upgrade is refused. */
export async function refusedStatus(browser: Browser, headers: Record<string, string> = {}): Promise<number> {
  return (await refusal(browser, headers)).status;
}

/** How an upgrade is refused. */
export function refusal(
  browser: Browser,
  headers: Record<string, string> = {},
): Promise<{ status: number; retryAfter: string | undefined; body: string }> {
  const socket = new WebSocket(`${browser.url.replace('http', 'ws')}/web/wc/bus`, {
    headers: { ...(browser.cookies.size > 0 ? { cookie: cookiesOf(browser) } : {}), ...headers },
  });
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', async (_request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces).toString('utf8');
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body });
      socket.terminate();
    });
    socket.on('open', () => reject(new Error('The upgrade was not refused.')));
    socket.on('error', () => {});
  });
}

export const soon = { timeout: 120_000, interval: 10 };

export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, soon);
}

function cookiesOf(browser: Browser): string {
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
