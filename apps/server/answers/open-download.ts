import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Download, DownloadFile } from '@kontor/exchange';
import type { FastifyReply } from 'fastify';

export interface OpenDownload extends Download {
  readonly hasBegun: boolean;
  end(): void;
  /** Breaks off: what arrived must not look like a whole file. */
  destroy(error: unknown): void;
}

const buffered = 512_000;

/** An answer that is written while it is made, as fast as the other side reads. */
export function openDownload(reply: FastifyReply): OpenDownload {
  const stream = new PassThrough({ highWaterMark: buffered });
  const gone = new AbortController();
  let hasBegun = false;
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('Whoever asked for the download is gone.'));
  });
  // The framework listens too, once it has the stream.
  stream.on('error', () => {});
  return {
    signal: gone.signal,
    get hasBegun() {
      return hasBegun;
    },
    begin(file) {
      // A second try of the transaction would write everything again behind what is on its way.
      if (hasBegun) throw new Error('The download had begun already.');
      hasBegun = true;
      reply.headers(fileHeaders(file)).send(stream);
    },
    async write(part) {
      gone.signal.throwIfAborted();
      if (!stream.write(part)) await once(stream, 'drain', { signal: gone.signal });
    },
    end: () => void stream.end(),
    destroy: (error) => void stream.destroy(error instanceof Error ? error : new Error(String(error))),
  };
}

export function fileHeaders({ name, type }: DownloadFile): Record<string, string> {
  return { 'content-type': type, 'content-disposition': attachment(name), 'cache-control': 'private, no-store' };
}

/** The name twice: in plain letters for whoever knows nothing else, and as it is. */
function attachment(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/["\\]/g, '');
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
