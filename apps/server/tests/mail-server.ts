import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { vi } from 'vitest';

export interface MailServer {
  readonly port: number;
  readonly mails: readonly { readonly to: readonly string[]; readonly from: string; readonly text: string }[];
  readonly refused: readonly string[];
  /** Waits for the next mail to an address, counted from 1. */
  mailTo(address: string, nth?: number): Promise<string>;
  close(): Promise<void>;
}

/** A mail server that keeps what it gets; `bounce@…` is refused. */
export async function startMailServer(): Promise<MailServer> {
  const mails: { to: string[]; from: string; text: string }[] = [];
  const refused: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    // Whoever keeps a connection open for the next mail is hung up on, not waited for.
    closeTimeout: 1,
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith('bounce@')) return done();
      refused.push(address);
      done(new Error(`no such person: ${address}`));
    },
    onData(stream, { envelope }, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), from, text: decode(text) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    refused,
    mailTo: (address, nth = 1) =>
      vi.waitFor(
        () => {
          const found = mails.filter(({ to }) => to.includes(address))[nth - 1];
          if (!found) throw new Error(`No mail to ${address} yet.`);
          return found.text;
        },
        { timeout: 120_000, interval: 20 },
      ),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Long lines come quoted-printable; links must be whole again. */
function decode(text: string): string {
  return text.replaceAll(/=\r?\n/g, '').replaceAll(/=3D/g, '=');
}
