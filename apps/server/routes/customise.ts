import { readUpload } from '@kontor/exchange';
import { type CustomChange, type Kernel, readChange } from '@kontor/kernel';
import {
  checkCustomiser,
  checkFormula,
  customise,
  customiseUses,
  describeCustomise,
  discardDraft,
  exportAddon,
  guessSpreadsheet,
  previewScreen,
  returnTo,
  type SeenState,
} from '@kontor/parts';
import { invalidArgs } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerPost, rememberChange } from '../answers/answer-post.ts';
import { sendResult } from '../answers/send-shell.ts';
import { checkCsrf, givenCsrf, type SessionCaller, signedIn } from '../guards/authenticate.ts';
import { readForm, takeUploads } from '../guards/upload.ts';
import { type Fields, readFields, textField } from '../http/fields.ts';
import { maxUploadBytes } from './bulk-import.ts';

const most = 200;

/** Customisations are edited by session only, never with a key. */
export function customiseRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/customise', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { model } = request.query as Record<string, unknown>;
    return sendResult(reply, await describeCustomise(kernel, caller.actor, typeof model === 'string' ? model : ''));
  });
  server.get('/web/customise/uses', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { model = '', name = '' } = request.query as Record<string, unknown>;
    return sendResult(reply, await customiseUses(kernel, caller.actor, { model: String(model), name: String(name) }));
  });
  server.get('/web/customise/formula', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { model = '', type = '', formula = '' } = request.query as Record<string, unknown>;
    const asked = { model: String(model), type: String(type), formula: String(formula) };
    return sendResult(reply, await checkFormula(kernel, caller.actor, asked));
  });
  addonRoute(server, kernel);
  spreadsheetRoute(server, kernel);
  server.post('/web/customise/preview', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    return sendResult(
      reply,
      await previewScreen(kernel, caller, {
        model: textField(fields, 'model'),
        type: textField(fields, 'type'),
        lang: textField(fields, 'lang'),
        action: textField(fields, 'action'),
        id: numberIn(fields, 'id'),
        changes: changesIn(fields),
      }),
    );
  });
  server.post('/web/customise', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const result = await run(kernel, caller, fields);
    await rememberChange(kernel, caller);
    return answerPost(request, reply, result, '/web/settings');
  });
}

function addonRoute(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/customise/addon', { config: { isDownload: true } }, async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { name = '' } = request.query as Record<string, unknown>;
    const file = await exportAddon(kernel, caller.actor, String(name));
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}.zip"`,
        'cache-control': 'private, no-store',
      })
      .send(file);
  });
}

/** A file from somebody who may customise; nothing of it is kept. */
function spreadsheetRoute(server: FastifyInstance, kernel: Kernel): void {
  server.register(async (scope) => {
    takeUploads(scope);
    scope.post('/web/customise/spreadsheet', {
      bodyLimit: maxUploadBytes,
      // Before the body is read, so that nobody else can make the server buffer one.
      onRequest: async (request, reply) => {
        const caller = await signedIn(kernel, request, reply);
        if (!caller) return reply;
        checkCustomiser(caller.actor);
      },
      handler: (request, reply) => guess(kernel, request, reply),
    });
  });
}

async function guess(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { caller, files } = readForm(request);
  const given = files.get('file');
  if (!given) throw invalidArgs('file must be a CSV file or an Excel workbook.', { field: 'file' });
  const file = await readUpload(given.content);
  return sendResult(reply, await guessSpreadsheet(kernel, caller.actor, { name: given.name || 'import.csv', file }));
}

function run(kernel: Kernel, { actor }: SessionCaller, fields: Fields): Promise<SeenState> {
  const seen = { base: numberIn(fields, 'base'), draft: numberIn(fields, 'draft') };
  const step = textField(fields, 'do');
  if (step === 'discard') return discardDraft(kernel, actor, seen);
  if (step === 'return') return returnTo(kernel, actor, seen, numberIn(fields, 'revision'));
  if (step !== 'save' && step !== 'publish')
    throw invalidArgs('do must be save, publish, discard or return.', { field: 'do' });
  const note = textField(fields, 'note').trim();
  return customise(kernel, actor, seen, { changes: changesIn(fields), note, isPublished: step === 'publish' });
}

function changesIn({ changes = [] }: Fields): readonly CustomChange[] {
  if (!Array.isArray(changes) || changes.length > most)
    throw invalidArgs(`changes must be a list of at most ${most}.`, { field: 'changes' });
  return changes.map(readChange);
}

function numberIn(fields: Fields, name: string): number {
  const given = textField(fields, name).trim() || '0';
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw invalidArgs(`${name} must be a whole number from 0 on.`, { field: name });
}
