import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import {
  bulkTemplate,
  type Download,
  type DownloadFile,
  type ExportQuery,
  exportCsv,
  exportPdf,
  readColumnsQuery,
  readExportQuery,
} from '@kontor/exchange';
import type { Kernel } from '@kontor/kernel';
import { watchReads } from '@kontor/parts';
import { queue } from '@kontor/protocol';
import type { RawQuery } from '@kontor/workspace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendResult } from '../answers/send-shell.ts';
import { originOf, type SessionCaller, signedIn } from '../guards/authenticate.ts';
import { chosenEncoding, packedStream } from '../http/compression.ts';

type Export = (kernel: Kernel, caller: SessionCaller, query: ExportQuery, download: Download) => Promise<void>;

const formats: Readonly<Record<string, Export>> = { csv: exportCsv, pdf: exportPdf };

/** Downloads of records. Each holds a database connection while it runs, so their number is limited. */
export function exportRoutes(server: FastifyInstance, kernel: Kernel): void {
  const reads = watchReads(kernel.database);
  const downloads = queue(Math.max(1, Math.floor(kernel.config.dbMaxOpenConns / 3)));
  for (const [format, run] of Object.entries(formats)) {
    server.get(`/web/export/${format}`, { config: { isDownload: true } }, async (request, reply) => {
      const caller = await signedIn(kernel, request, reply);
      if (!caller) return reply;
      const query = readExportQuery(request.query as RawQuery, format);
      if (query.isTrial) return sendTrial(reply, (download) => run(kernel, caller, query, download));
      const download = openDownload(request, reply);
      try {
        const seen = { model: query.model, asked: { format, ...(request.query as RawQuery) } };
        const noted = notedFirst(download, () => reads.exported(originOf(request, caller), seen));
        await downloads.run(() => run(kernel, caller, query, noted), download.signal);
        download.end();
      } catch (error) {
        if (!download.hasBegun && !download.signal.aborted) throw error;
        if (!download.signal.aborted) request.log.error({ reqId: request.id, err: error }, 'an export broke off');
        download.destroy(error);
      }
      return reply;
    });
  }

  server.get('/web/bulk/template', { config: { isDownload: true } }, async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { text, ...file } = await bulkTemplate(kernel, caller, readColumnsQuery(request.query as RawQuery));
    return reply.headers(fileHeaders(file)).send(text);
  });
}

/** The audit entry is written before the first row is sent, so that aborted exports are recorded too. */
function notedFirst({ begin, write, signal }: Download, note: () => Promise<void>): Download {
  let noted: Promise<void> | null = null;
  return {
    ...{ begin, signal },
    async write(part) {
      noted ??= note();
      await noted;
      await write(part);
    },
  };
}

/** Returns the file name, or why there will be no file. */
async function sendTrial(reply: FastifyReply, run: (download: Download) => Promise<void>): Promise<FastifyReply> {
  let name = '';
  await run({
    begin: (file) => {
      name = file.name;
    },
    write: () => Promise.resolve(),
    signal: new AbortController().signal,
  });
  return sendResult(reply, { name });
}

interface OpenDownload extends Download {
  readonly hasBegun: boolean;
  end(): void;
  /** Aborts the connection: a partial file must not look complete. */
  destroy(error: unknown): void;
}

const buffered = 512_000;

/** An answer that is streamed as fast as the client reads. */
function openDownload(request: FastifyRequest, reply: FastifyReply): OpenDownload {
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
      // Retrying the transaction would append everything again to what was already sent.
      if (hasBegun) throw new Error('The download had begun already.');
      hasBegun = true;
      reply.headers({ ...fileHeaders(file), vary: 'accept-encoding' });
      // A PDF is already compressed.
      const encoding = file.type.startsWith('text/') ? chosenEncoding(request.headers['accept-encoding']) : null;
      if (encoding === null) return void reply.send(stream);
      reply.header('content-encoding', encoding).send(packedStream(stream, encoding));
    },
    async write(part) {
      gone.signal.throwIfAborted();
      if (!stream.write(part)) await once(stream, 'drain', { signal: gone.signal });
    },
    end: () => void stream.end(),
    destroy: (error) => void stream.destroy(error instanceof Error ? error : new Error(String(error))),
  };
}

function fileHeaders({ name, type }: DownloadFile): Record<string, string> {
  return { 'content-type': type, 'content-disposition': attachment(name), 'cache-control': 'private, no-store' };
}

/** The name twice: in ASCII for old clients, and in UTF-8. */
function attachment(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/["\\]/g, '');
  const exact = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
