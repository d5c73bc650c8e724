import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server for tests, and the mails it received. */
export interface TestMailServer {
  readonly port: number;
  /** All accepted mail, complete. */
  readonly accepted: string[];
  /** How it answers from now on. */
  behave(mode: MailServerMode): void;
  /** What it does when the first byte of a mail's content arrives. */
  onContent: (() => Promise<void>) | null;
  readonly connections: number;
  close(): Promise<void>;
}

/** How it responds to mail. */
export type MailServerMode =
  | 'accept'
  | 'refuse recipient'
  | 'refuse content'
  | 'busy'
  | 'refuse login'
  | 'silent'
  | 'hang up on content'
  | 'take and hang up';

/** A real SMTP server that can reject mail, be busy or not respond. */
// Over 60 lines: the callbacks of the server share its mode and its connections.
export async function startMailServer(options: { readonly login?: string } = {}): Promise<TestMailServer> {
  let mode: MailServerMode = 'accept';
  let connections = 0;
  const accepted: string[] = [];
  const server = new SMTPServer({
    disabledCommands: options.login ? [] : ['AUTH', 'STARTTLS'],
    authOptional: !options.login,
    allowInsecureAuth: true,
    logger: false,
    // A client that keeps a connection open is disconnected, not waited for.
    closeTimeout: 1,
    onConnect: (_session, done) => {
      connections++;
      if (mode !== 'silent') done();
    },
    onAuth: ({ username, password }, _session, done) =>
      mode === 'refuse login' || `${username}:${password}` !== options.login
        ? done(new Error('Wrong login'))
        : done(null, { user: username }),
    onRcptTo: (_address, _session, done) => {
      if (mode === 'refuse recipient') return done(refusal('No such mailbox', 550));
      if (mode === 'busy') return done(refusal('Come back later', 451));
      done();
    },
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of stream) {
          if (chunks.length === 0) await testServer.onContent?.();
          if (mode === 'hang up on content') return hangUp();
          chunks.push(chunk as Buffer);
        }
      } catch (error) {
        // The sender died in the middle of it.
        if ((error as { code?: unknown }).code === 'ECONNECTION') return;
        throw error;
      }
      if (mode === 'refuse content') return done(refusal('No such words', 554));
      accepted.push(Buffer.concat(chunks).toString());
      if (mode === 'take and hang up') return hangUp();
      done();
    },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  const testServer: TestMailServer = {
    port: (server.server.address() as AddressInfo).port,
    accepted,
    behave: (next) => {
      mode = next;
    },
    get connections() {
      return connections;
    },
    onContent: null,
    close,
  };
  return testServer;
}

function refusal(message: string, responseCode: number): Error {
  return Object.assign(new Error(message), { responseCode });
}
