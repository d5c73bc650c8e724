import {
  bulkTemplate,
  type Download,
  type ExportQuery,
  exportCsv,
  exportPdf,
  readColumnsQuery,
  readExportQuery,
} from '@kontor/exchange';
import type { Kernel } from '@kontor/kernel';
import { queue } from '@kontor/protocol';
import type { RawQuery } from '@kontor/workspace';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { fileHeaders, openDownload } from '../answers/open-download.ts';
import { sendResult } from '../answers/send-shell.ts';
import { type SessionCaller, signedIn } from '../guards/authenticate.ts';

type Export = (kernel: Kernel, caller: SessionCaller, query: ExportQuery, download: Download) => Promise<void>;

const formats: Readonly<Record<string, Export>> = { csv: exportCsv, pdf: exportPdf };

/** Downloads of records. Each holds a database connection as long as it runs, so only some run at once. */
export function exportRoutes(server: FastifyInstance, kernel: Kernel): void {
  const downloads = queue(Math.max(1, Math.floor(kernel.config.dbMaxOpenConns / 3)));
  for (const [format, run] of Object.entries(formats)) {
    server.get(`/web/export/${format}`, { config: { isDownload: true } }, async (request, reply) => {
      const caller = await signedIn(kernel, request, reply);
      if (!caller) return reply;
      const query = readExportQuery(request.query as RawQuery);
      if (query.isTrial) return sendTrial(reply, (download) => run(kernel, caller, query, download));
      const download = openDownload(reply);
      try {
        await downloads.run(() => run(kernel, caller, query, download), download.signal);
        download.end();
      } catch (error) {
        if (!download.hasBegun && !download.signal.aborted) throw error;
        if (!download.signal.aborted) request.log.error({ err: error, requestId: request.id }, 'an export broke off');
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

/** Tells what the file would be called, or why there will be none. */
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
