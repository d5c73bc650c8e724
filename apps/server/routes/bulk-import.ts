import { importMode, type LabelsOf, readRejects, readUpload, stageImport } from '@kontor/exchange';
import { dispatch, type Kernel, systemActor } from '@kontor/kernel';
import { recordPath } from '@kontor/parts';
import { didYouMean, flagOf, invalidArgs, KontorError } from '@kontor/protocol';
import { interfaceIn } from '@kontor/workspace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerPost, nextPath, noteChange, rememberChange } from '../answers/answer-post.ts';
import { checkCsrf, givenCsrf, originOf, signedIn } from '../guards/authenticate.ts';
import { readForm, takeUploads } from '../guards/upload.ts';
import { okEnvelope, wantsJson } from '../http/envelope.ts';
import { type Fields, idField, readFields, textField } from '../http/fields.ts';

export const maxUploadBytes = 8 * 1024 * 1024;

/** Uploading, confirming and cancelling an import, and downloading its skipped rows. */
export function bulkImportRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.register(async (scope) => {
    takeUploads(scope);
    for (const path of ['/web/bulk/upload', '/web/import/csv']) {
      scope.post(path, {
        bodyLimit: maxUploadBytes,
        // Before the body is read, so that an anonymous caller cannot make the server buffer one.
        onRequest: async (request, reply) => {
          if (!(await signedIn(kernel, request, reply))) return reply;
        },
        handler: (request, reply) => upload(kernel, request, reply),
      });
    }
  });
  server.post('/web/bulk/confirm', (request, reply) => act(kernel, request, reply, 'action_confirm_import'));
  server.post('/web/bulk/cancel', (request, reply) => act(kernel, request, reply, 'action_cancel_import'));
  server.get('/web/bulk/rejects', (request, reply) => sendRejects(kernel, request, reply));
}

function mappingForm(id: number): string {
  return recordPath('sys.bulk.import', id);
}

async function upload(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { caller, fields, files } = readForm(request);
  const file = files.get('file');
  const model = textField(fields, 'model').trim();
  if (model === '') throw invalidArgs('model must name a model.', { field: 'model' });
  if (!file) throw invalidArgs('file must be a CSV file or an Excel workbook.', { field: 'file' });
  const staged = {
    ...{ model, fileName: file.name || 'import.csv', file: await readUpload(file.content) },
    fields: listOf(textField(fields, 'fields')),
    mode: importMode(textField(fields, 'import_mode').trim()),
    next: await nextOf(kernel, caller.actor.lang, fields),
  };
  const labelsOf = await labelsInLanguages(kernel);
  const { result: id } = await kernel.transact(caller.actor, (env) => stageImport(env, staged, labelsOf), {
    isOutside: true,
    ...originOf(request, caller),
  });
  await rememberChange(kernel, caller);
  return answerPost(request, reply, { id, redirect: mappingForm(id) }, mappingForm(id));
}

/** The labels of fields in each active language, without its models: to make those takes long, and most are never asked for. */
async function labelsInLanguages(kernel: Kernel): Promise<LabelsOf> {
  const active = await kernel.read(
    systemActor,
    (env) => env.model('core.lang').searchRead([['active', '=', true]], ['code']),
    // The list of languages is not secret: the sign-in page offers them.
    { isSudo: true },
  );
  const { registry, loaded } = kernel;
  await loaded.translations.prepare();
  const translates = active.map(({ code }) => loaded.translations.in(String(code)));
  return ({ model, name }) => {
    const english = registry.models.get(model)?.fields.get(name);
    return english ? [english.label, ...translates.map((translate) => translate(english.label, english.module))] : [];
  };
}

/** Where the user came from: the given page, otherwise the list of the action; null: the model's list. */
async function nextOf(kernel: Kernel, lang: string, fields: Fields): Promise<string | null> {
  const action = textField(fields, 'action').trim();
  const { actions, actionIds } = await interfaceIn(kernel, lang);
  const isKnown = actionIds.has(action) || (/^\d{1,9}$/.test(action) && actions.has(Number(action)));
  if (action !== '' && !isKnown) {
    const hint = didYouMean(action.slice(0, 100), actionIds.keys()).trim();
    throw invalidArgs(`There is no action "${action.slice(0, 100)}".`, { field: 'action', ...(hint && { hint }) });
  }
  const fallback = action === '' ? '' : `/web?action=${action}&view_type=list`;
  const next = nextPath(textField(fields, 'next').slice(0, 2_000), fallback);
  return next === '' || next === '/' ? null : next;
}

function listOf(given: string): readonly string[] {
  return given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

type ImportAction = 'action_confirm_import' | 'action_cancel_import';

async function act(
  kernel: Kernel,
  request: FastifyRequest,
  reply: FastifyReply,
  action: ImportAction,
): Promise<FastifyReply> {
  const caller = await signedIn(kernel, request, reply);
  if (!caller) return reply;
  const fields = readFields(request);
  checkCsrf(caller, givenCsrf(request, fields));
  const id = idField(fields, 'id');
  if (id === null) throw invalidArgs('id must name a batch.', { field: 'id' });
  try {
    const { actor, lastWrite } = caller;
    const answer = await dispatch(
      kernel,
      { actor, scope: null, requestId: request.id, address: request.ip, idempotency: null, lastWrite },
      { model: 'sys.bulk.import', method: 'call', args: [id, action, paramsOf(fields)], kwargs: dryRun(fields) },
    );
    if (answer.changeSet !== null) await noteChange(kernel, caller, reply, answer);
    else await rememberChange(kernel, caller);
    if (wantsJson(request)) return reply.type('application/json; charset=utf-8').send(okEnvelope(answer.json));
    const { redirect } = JSON.parse(answer.json) as { redirect?: string };
    return reply.redirect(redirect ?? mappingForm(id), 303);
  } catch (error) {
    // Users return to the form, which shows the errors by row.
    const isRefused = error instanceof KontorError && error.code === 'VALIDATION_ERROR';
    if (isRefused && !wantsJson(request)) return reply.redirect(mappingForm(id), 303);
    throw error;
  }
}

function paramsOf(fields: Fields): Record<string, string> {
  const params: Record<string, string> = {};
  const { column_mapping: mapping } = fields;
  if (typeof mapping === 'object' && mapping !== null) params.column_mapping = JSON.stringify(mapping);
  else if (textField(fields, 'column_mapping') !== '') params.column_mapping = textField(fields, 'column_mapping');
  const { fixes } = fields;
  if (typeof fixes === 'object' && fixes !== null) params.fixes = JSON.stringify(fixes);
  else if (textField(fields, 'fixes') !== '') params.fixes = textField(fields, 'fixes');
  params.skip_invalid = flagOf(fields.skip_invalid, 'skip_invalid') ? '1' : '0';
  return params;
}

function dryRun(fields: Fields): { readonly dry_run?: true } {
  return flagOf(fields.dry_run, 'dry_run') ? { dry_run: true } : {};
}

async function sendRejects(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await signedIn(kernel, request, reply);
  if (!caller) return reply;
  const id = idField(request.query as Fields, 'id');
  if (id === null) throw invalidArgs('id must name a batch.', { field: 'id' });
  const { name, content } = await kernel.read(caller.actor, (env) => readRejects(env, id), { isOutside: true });
  const plain = name
    .replace(/\.(?:csv|xlsx)$/i, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(0, 100);
  return reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${plain}-rejects.csv"`)
    .send(content);
}
