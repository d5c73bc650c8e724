import { type Kernel, presentModules, readModuleStates } from '@kontor/kernel';
import { invalidArgs, KontorError, text } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addAddons, removeAdded } from '../added/added-addons.ts';
import { readPackage } from '../added/read-package.ts';
import { tarballLimits } from '../added/read-tarball.ts';
import { answerPost } from '../answers/answer-post.ts';
import { checkAdmin, checkCsrf, givenCsrf, signedIn } from '../guards/authenticate.ts';
import { readForm, takeUploads } from '../guards/upload.ts';
import { readFields, textField } from '../http/fields.ts';

/**
 * Adding addons in the browser, if the operator allows it: their code runs in this process, so otherwise the routes are
 * not even served.
 */
export function addedRoutes(server: FastifyInstance, kernel: Kernel): void {
  if (!kernel.config.addonUpload) return;
  server.register(async (scope) => {
    takeUploads(scope);
    scope.post('/web/module/upload', {
      bodyLimit: tarballLimits.packed,
      // Before the body is read, so that nobody else can make the server buffer one.
      onRequest: async (request, reply) => {
        const caller = await signedIn(kernel, request, reply);
        if (!caller) return reply;
        checkAdmin(caller, 'sys.module', 'create');
      },
      handler: (request, reply) => upload(kernel, request, reply),
    });
  });
  server.post('/web/module/remove', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller, 'sys.module', 'unlink');
    const name = textField(fields, 'module').trim().slice(0, 80);
    const states = await readModuleStates(kernel.database);
    if (presentModules(states).has(name)) {
      throw new KontorError('USER_ERROR', text('"{name}" is installed: uninstall it first.', { name }));
    }
    await removeAdded(kernel.config, name);
    await kernel.refreshCatalogue();
    kernel.log.warn({ uid: caller.actor.uid, addon: name }, 'an administrator removed an addon');
    return answerPost(request, reply, { module: name }, '/web/apps');
  });
}

async function upload(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { caller, files } = readForm(request);
  const file = files.get('file');
  if (!file) throw invalidArgs('file must be the tarball of an addon.', { field: 'file' });
  const packed = await readPackage(file.content, file.name.slice(0, 200) || 'addon.tgz');
  const [placed] = await addAddons(kernel.config, [packed]);
  await kernel.refreshCatalogue();
  const { name, version, integrity } = placed as NonNullable<typeof placed>;
  kernel.log.warn({ uid: caller.actor.uid, addon: name, version, integrity }, 'an administrator added an addon');
  return answerPost(request, reply, placed, '/web/apps');
}
