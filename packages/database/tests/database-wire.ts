import { connect, createServer, type Socket } from 'node:net';
import { testSeed } from '@kontor/testing';
import { parseDsn } from '../pool/parse-dsn.ts';

const errorMessage = 0x45;
const readyMessage = 0x5a;
const rowMessage = 0x44;

interface Line {
  readonly socket: Socket;
  held: Buffer[];
  isHeld: boolean;
}

/** The network between us and the database. */
export async function openWire(dsn: string) {
  const lines = new Set<Line>();
  let seed = (testSeed % 2_147_483_646) + 1;
  let pass: (line: Line, chunk: Buffer) => void = ({ socket }, chunk) => void socket.write(chunk);
  let readyCount = 0;
  let onReady = () => {};
  const server = createServer((socket) => {
    const line: Line = { socket, held: [], isHeld: false };
    lines.add(line);
    const target = connect(addressOf(dsn));
    socket.pipe(target);
    target.on('data', (chunk) => pass(line, chunk));
    target.on('close', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  const goOn = (line: Line): void => {
    line.isHeld = false;
    line.socket.write(Buffer.concat(line.held.splice(0)));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    connection: { ...parseDsn(dsn), host: '127.0.0.1', port: (server.address() as { port: number }).port },
    /** What comes after an error waits. */
    holdAfterErrors() {
      pass = (line, chunk) => {
        for (const message of messagesOf(chunk)) {
          if (line.isHeld) line.held.push(message);
          else line.socket.write(message);
          line.isHeld ||= message[0] === errorMessage;
          if (message[0] === readyMessage) readyCount++;
        }
        onReady();
      };
    },
    /** What waits goes on in one piece, once the server has said so many times that it is ready. */
    async goOn(ready: number) {
      await new Promise<void>((resolve) => {
        onReady = () => void (readyCount >= ready && resolve());
        onReady();
      });
      for (const line of lines) goOn(line);
    },
    /** The server warns before it is ready, each time that it has answered with a row of `mark`. */
    warnAfter(mark: string, warning: Buffer) {
      pass = ({ socket }, chunk) => {
        let isMarked = false;
        for (const message of messagesOf(chunk)) {
          isMarked ||= message[0] === rowMessage && message.includes(mark);
          if (message[0] === readyMessage && isMarked) {
            isMarked = false;
            socket.write(warning);
          }
          socket.write(message);
        }
      };
    },
    /** Pieces of any length arrive, with some of what follows or without. */
    cutAnywhere() {
      pass = (line, chunk) => {
        seed = (seed * 16_807) % 2_147_483_647;
        const at = seed % (chunk.length + 1);
        line.held.push(chunk.subarray(0, at));
        goOn(line);
        line.held.push(chunk.subarray(at));
        setImmediate(() => goOn(line));
      };
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

function addressOf(dsn: string) {
  const { host = 'localhost', port = 5432 } = parseDsn(dsn);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
}

/** Of a chunk that begins and ends with a message, as those of short answers do. */
function messagesOf(chunk: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < chunk.length; ) {
    const end = at + 1 + chunk.readInt32BE(at + 1);
    messages.push(chunk.subarray(at, end));
    at = end;
  }
  return messages;
}

/** A warning of the server that comes from this place in its code. */
export function warningFrom(routine: string): Buffer {
  const fields = Buffer.from(`SWARNING\0VWARNING\0C01000\0Mnot copied\0R${routine}\0\0`, 'latin1');
  const head = Buffer.from('N\0\0\0\0', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
