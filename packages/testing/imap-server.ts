import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/** An IMAP server over a real socket: one account, one folder, as far as fetching needs it (RFC 3501, RFC 2177). */
export interface ImapServer {
  readonly port: number;
  /** Adds a message and announces it to connections that wait. */
  /** `at`: when it arrived, if not now. */
  add(raw: Buffer, at?: Date): number;
  remove(uid: number): void;
  /** Gives all messages new UIDs, as after a restored backup. */
  renumber(): void;
  /** Ends all connections. */
  hangUp(): void;
  /** Messages whose content was fetched, by UID. */
  readonly fetched: number[];
  /** Connections that are open and signed in. */
  readonly clients: () => number;
  /** Commands as they came, without those over TLS. */
  readonly plain: readonly string[];
  /** The access token that signs in (XOAUTH2). */
  token: string;
  /** Settles when a connection waits for news (IDLE). */
  idle(): Promise<void>;
  close(): Promise<void>;
}

interface Security {
  readonly mode: 'tls' | 'starttls';
  readonly key: string;
  readonly cert: string;
}

interface Session {
  socket: Socket;
  isSignedIn: boolean;
  idleTag: string | null;
}

// Over 60 lines: the commands share the messages and the sessions.
export async function startImapServer(
  login = 'office',
  password = 'right "password"',
  security: Security | null = null,
): Promise<ImapServer> {
  const plain: string[] = [];
  const state = { token: '' };
  let messages: { readonly uid: number; readonly raw: Buffer; readonly at: Date }[] = [];
  let validity = 7;
  let next = 1;
  const sessions = new Set<Session>();
  const fetched: number[] = [];
  const idlers: (() => void)[] = [];

  function secure(session: Session): void {
    if (!security) return;
    const secureContext = createSecureContext({ key: security.key, cert: security.cert });
    session.socket = new TLSSocket(session.socket, { isServer: true, secureContext });
    listen(session);
  }

  // Over 60 lines: one case for each command.
  function answer(session: Session, line: string) {
    if (!(session.socket instanceof TLSSocket)) plain.push(line);
    const say = (text: string) => void session.socket.write(`${text}\r\n`);
    if (session.idleTag !== null) {
      say(`${session.idleTag} OK done`);
      session.idleTag = null;
      return;
    }
    const [, tag = '*', command = '', rest = ''] = /^(\S+) (UID \S+|\S+) ?(.*)$/is.exec(line) ?? [];
    const done = (text = 'OK done') => say(`${tag} ${text}`);
    switch (command.toUpperCase()) {
      case 'CAPABILITY':
        say(`* CAPABILITY IMAP4rev1 IDLE AUTH=XOAUTH2 SASL-IR${security?.mode === 'starttls' ? ' STARTTLS' : ''}`);
        return done();
      case 'STARTTLS':
        done('OK begin');
        return secure(session);
      case 'AUTHENTICATE': {
        const given = Buffer.from(rest.split(' ')[1] ?? '', 'base64').toString();
        session.isSignedIn = state.token !== '' && given === `user=${login}\x01auth=Bearer ${state.token}\x01\x01`;
        return done(session.isSignedIn ? 'OK welcome' : 'NO [AUTHENTICATIONFAILED] Invalid token');
      }
      case 'LOGIN':
        session.isSignedIn =
          rest === `"${login}" "${password.replaceAll('"', '\\"')}"` ||
          rest === `${login} "${password.replaceAll('"', '\\"')}"`;
        return done(session.isSignedIn ? 'OK welcome' : 'NO [AUTHENTICATIONFAILED] Invalid credentials');
      case 'LIST':
      case 'LSUB':
        say(`* ${command.toUpperCase()} (\\HasNoChildren) "/" INBOX`);
        return done();
      case 'SELECT':
      case 'EXAMINE':
        if (!/INBOX/i.test(rest)) return done('NO [NONEXISTENT] There is no such folder');
        say(`* ${messages.length} EXISTS`);
        say(`* OK [UIDVALIDITY ${validity}] valid`);
        say(`* OK [UIDNEXT ${next}] next`);
        return done('OK [READ-ONLY] opened');
      case 'UID SEARCH':
        say(
          `* SEARCH ${found(rest)
            .map(({ uid }) => uid)
            .join(' ')}`.trim(),
        );
        return done();
      case 'UID FETCH':
        for (const each of found(`UID ${rest.split(' ', 1)[0]}`)) fetchOne(session, each, rest);
        return done();
      case 'IDLE':
        session.idleTag = tag;
        say('+ waiting');
        for (const tell of idlers.splice(0)) tell();
        return;
      case 'LOGOUT':
        say('* BYE');
        done();
        session.socket.end();
        return;
      default:
        return done();
    }
  }

  function found(query: string) {
    const [, from = '1', to = from] = /UID (\d+)(?::(\d+|\*))?/i.exec(query) ?? [];
    const last = messages.at(-1)?.uid ?? 0;
    const [low, high] = [Number(from), to === '*' ? Math.max(last, 0) : Number(to)];
    const [, since] = /SINCE (\S+)/i.exec(query) ?? [];
    const first = since === undefined ? 0 : Date.parse(`${since} UTC`);
    // `n:*` has the last message, even if its UID is lower than n.
    const isNamed = (uid: number) => uid >= Math.min(low, high) && uid <= Math.max(low, high);
    return messages.filter(({ uid, at }) => isNamed(uid) && at.getTime() >= first);
  }

  function fetchOne({ socket }: Session, { uid, raw, at }: (typeof messages)[number], query: string): void {
    const sequence = messages.findIndex((each) => each.uid === uid) + 1;
    const [, length] = /BODY\.PEEK\[\]<0\.(\d+)>/i.exec(query) ?? [];
    if (!/BODY/i.test(query)) {
      socket.write(`* ${sequence} FETCH (UID ${uid} INTERNALDATE "${dateOf(at)}" RFC822.SIZE ${raw.length})\r\n`);
      return;
    }
    fetched.push(uid);
    const part = length === undefined ? raw : raw.subarray(0, Number(length));
    socket.write(`* ${sequence} FETCH (UID ${uid} BODY[]${length === undefined ? '' : '<0>'} {${part.length}}\r\n`);
    socket.write(part);
    socket.write(')\r\n');
  }

  function listen(session: Session): void {
    const { socket } = session;
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      const lines = rest.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (session.socket === socket) answer(session, line);
    });
  }

  const server = createServer((socket) => {
    const session: Session = { socket, isSignedIn: false, idleTag: null };
    sessions.add(session);
    socket.on('close', () => sessions.delete(session));
    socket.on('error', () => {});
    if (security?.mode === 'tls') secure(session);
    else listen(session);
    session.socket.write('* OK ready\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    fetched,
    plain,
    get token() {
      return state.token;
    },
    set token(value) {
      state.token = value;
    },
    clients: () => [...sessions].filter(({ isSignedIn }) => isSignedIn).length,
    add(raw, at = new Date()) {
      messages.push({ uid: next, raw, at });
      for (const { socket, idleTag } of sessions) if (idleTag !== null) socket.write(`* ${messages.length} EXISTS\r\n`);
      return next++;
    },
    remove: (uid) => {
      messages = messages.filter((message) => message.uid !== uid);
    },
    renumber() {
      validity++;
      messages = messages.map((message, index) => ({ ...message, uid: index + 1 }));
      next = messages.length + 1;
    },
    hangUp: () => {
      for (const { socket } of sessions) socket.destroy();
    },
    idle: () => new Promise((resolve) => idlers.push(resolve)),
    async close() {
      for (const { socket } of sessions) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** As IMAP writes it: `17-Jul-2026 02:44:25 +0000`. */
function dateOf(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(' ');
  return `${day}-${month}-${year} ${time} +0000`;
}
