import type { ParsedMessage } from '../../incoming/parse-message.ts';

/** A message that real programs send, or that somebody made to harm, and what must be read from it. */
export interface OddMessage {
  readonly name: string;
  readonly raw: Buffer;
  readonly is: Partial<Pick<ParsedMessage, 'subject' | 'from' | 'messageId' | 'references' | 'recipients' | 'date'>> &
    Partial<Pick<ParsedMessage, 'kind' | 'isFromList' | 'failed' | 'isPartial'>> & {
      /** Some of what the calendar says; null if it is no invitation. */
      readonly invitation?: Partial<NonNullable<ParsedMessage['invitation']>> | null;
      readonly pictures?: readonly string[];
      readonly shown?: string;
      readonly folded?: string;
      /** `name type` of each file. */
      readonly files?: readonly string[];
    };
}

/** Lines as they are sent, with CRLF; bytes of a one-byte character set may be written as `\xNN`. */
export function bytes(text: string, encoding: BufferEncoding = 'utf8'): Buffer {
  return Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), encoding);
}

export const head = `From: Ada <ada@example.com>
To: office@kontor.test
Message-ID: <m1@example.com>
`;
export const plain = (body: string, headers = ''): Buffer =>
  bytes(`${head}${headers}Content-Type: text/plain; charset=utf-8\n\n${body}`);
export const html = (body: string, headers = ''): Buffer =>
  bytes(`${head}${headers}Content-Type: text/html; charset=utf-8\n\n${body}`);
export const encoded = (charset: string, body: Buffer): Buffer =>
  Buffer.concat([
    bytes(`${head}Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: base64\n\n`),
    Buffer.from(body.toString('base64')),
  ]);
export const multipart = (type: string, parts: readonly string[], headers = head): Buffer =>
  bytes(
    `${headers}Content-Type: multipart/${type}; boundary="XX"\n\n${parts.map((part) => `--XX\n${part}\n`).join('')}--XX--\n`,
  );
export const file = (name: string, type: string, content: string, more = ''): string =>
  `Content-Type: ${type}\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n${more}\n${Buffer.from(content).toString('base64')}`;
export const textPart = (text: string): string => `Content-Type: text/plain; charset=utf-8\n\n${text}`;
export const htmlPart = (text: string): string => `Content-Type: text/html; charset=utf-8\n\n${text}`;
