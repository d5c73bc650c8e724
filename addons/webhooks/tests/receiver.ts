import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly data: {
    readonly event: string;
    readonly model: string;
    readonly id: number;
    readonly changed: readonly string[];
    readonly record: Readonly<Record<string, unknown>> | null;
  };
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How it answers from now on; 200 when nothing is said. */
  answer(how: ((message: Received, response: ServerResponse) => void) | null): void;
  /** Settles when so many have come in all. */
  reaches(count: number): Promise<readonly Received[]>;
  /** Like `create 7`, in the order in which they came. */
  told(): readonly string[];
  close(): Promise<void>;
}

/** A real HTTP server that takes webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  let how: ((message: Received, response: ServerResponse) => void) | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const message = { headers: request.headers, body, data: JSON.parse(body).data };
    received.push(message);
    if (how) how(message, response);
    else response.end('thanks');
    for (const one of waiting) if (received.length >= one.count) one.done();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next) => {
      how = next;
    },
    async reaches(count) {
      if (received.length < count) await new Promise<void>((done) => waiting.push({ count, done }));
      return received;
    },
    told: () => received.map(({ data }) => `${data.event} ${data.id}`),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** As a receiver checks it that has read the specification and not our code. */
export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(content).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
