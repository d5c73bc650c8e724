import { createServer, connect as open, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectionConfig, leadsToPooler, parseDsn } from '../index.ts';

let data: TestDatabase;
beforeAll(async () => {
  data = await createTestDatabase();
});
afterAll(() => data.drop());

/** Stands before a server and tells clients a number of its own for the server's process, as poolers do. */
async function startPooler({ host = '', port = 5432 }: ConnectionConfig): Promise<number> {
  const pooler = createServer((client: Socket) => {
    const server = host.startsWith('/') ? open(`${host}/.s.PGSQL.${port}`) : open(port, host);
    client.pipe(server);
    server.on('data', (bytes: Buffer) => client.write(withOtherProcess(bytes)));
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  onTestFinished(() => void pooler.close());
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  return (pooler.address() as { readonly port: number }).port;
}

/** `K` and a length of 12 begin the message that tells a client the number of its process. */
function withOtherProcess(bytes: Buffer): Buffer {
  const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  if (at >= 0) bytes.writeInt32BE(99_999_999, at + 5);
  return bytes;
}

describe('DBK-3 a pooler', () => {
  it('DBK-3 is told from a server by the number that it gives to the process', async () => {
    const direct = parseDsn(data.dsn);
    expect(await leadsToPooler(direct)).toBe(false);
    const port = await startPooler(direct);
    expect(await leadsToPooler({ ...direct, host: '127.0.0.1', port })).toBe(true);
  });
});
