import { readUpload } from '@kontor/exchange';
import { type CustomChange, type Kernel, readChange } from '@kontor/kernel';
import {
  checkCustomiser,
  checkFormula,
  customise,
  customiseStates,
  customiseUses,
  describeCustomise,
  discardDraft,
  exportAddon,
  guessImportColumn,
  guessSpreadsheet,
  importAddon,
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
import { type Fields, idField, readFields, textField } from '../http/fields.ts';
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
  columnRoute(server, kernel);
  addonRoute(server, kernel);
  uploadRoutes(server, kernel);
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
  server.post('/web/customise/states', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    const model = textField(fields, 'model');
    return sendResult(reply, await customiseStates(kernel, caller.actor, model, changesIn(fields)));
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

function columnRoute(server: FastifyInstance, kernel: Kernel): void {
  server.get('/web/customise/column', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const { column = '' } = request.query as Record<string, unknown>;
    const asked = { id: idField(request.query as Fields, 'id') ?? 0, column: String(column) };
    return sendResult(reply, await guessImportColumn(kernel, caller.actor, asked));
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

/** Files from somebody who may customise: a spreadsheet, of which nothing is kept, or an exported addon. */
function uploadRoutes(server: FastifyInstance, kernel: Kernel): void {
  // Before the body is read, so that nobody else can make the server buffer one.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    checkCustomiser(caller.actor);
  };
  server.register(async (scope) => {
    takeUploads(scope);
    const bodyLimit = maxUploadBytes;
    scope.post('/web/customise/spreadsheet', {
      ...{ bodyLimit, onRequest },
      handler: (request, reply) => guess(kernel, request, reply),
    });
    scope.post('/web/customise/addon', {
      ...{ bodyLimit, onRequest },
      handler: (request, reply) => takeAddon(kernel, request, reply),
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

async function takeAddon(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { caller, files, fields } = readForm(request);
  const given = files.get('file');
  if (!given) throw invalidArgs('file must be a ZIP file with an exported addon.', { field: 'file' });
  const seen = { base: numberIn(fields, 'base'), draft: numberIn(fields, 'draft') };
  return sendResult(reply, await importAddon(kernel, caller.actor, seen, given.content));
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
