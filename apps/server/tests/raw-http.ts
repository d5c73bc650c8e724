import { connect, type Socket } from 'node:net';

/** What the server says to bytes as they are, until it hangs up. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  return collect(socket, () => socket.write(bytes));
}

export function collect(socket: Socket, begin: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('connect', begin);
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : undefined));
    socket.on('close', () => resolve(text));
  });
}

/** A request with exactly these headers; `fetch` would put its own beside them. */
export function rawRequest(line: string, headers: Record<string, string>, body = ''): string {
  const all = {
    connection: 'close',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
