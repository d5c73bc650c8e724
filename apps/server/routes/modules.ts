import {
  activateModule,
  deactivateModule,
  type InstallContext,
  installModules,
  type Kernel,
  type ModuleChange,
  previewUninstall,
  previewWithDependents,
  uninstallModule,
  uninstallWithDependents,
  upgradeModules,
} from '@kontor/kernel';
import { wantsDemo } from '@kontor/parts';
import { didYouMean, flagOf, invalidArgs, KontorError, type Text, type Translate, text } from '@kontor/protocol';
import type { FastifyInstance } from 'fastify';
import { answerPost, nextPath, rememberChange } from '../answers/answer-post.ts';
import { checkAdmin, checkCsrf, givenCsrf, signedIn } from '../guards/authenticate.ts';
import { wantsJson } from '../http/envelope.ts';
import { readFields, textField } from '../http/fields.ts';
import { setFlash } from '../http/flash.ts';

type Change = (context: InstallContext, module: string) => Promise<ModuleChange>;

const changes: Readonly<Record<string, { readonly run: Change; readonly done: Text }>> = {
  install: { run: install, done: text('The module was installed.') },
  uninstall: { run: uninstallModule, done: text('The module was uninstalled.') },
  activate: { run: activateModule, done: text('The module was activated.') },
  deactivate: { run: deactivateModule, done: text('The module was deactivated.') },
  upgrade: { run: (context, module) => upgradeModules(context, [module]), done: text('The module was upgraded.') },
};

async function install(context: InstallContext, module: string): Promise<ModuleChange> {
  const withDemo = context.withDemo || (await wantsDemo(context.tx));
  return installModules({ ...context, withDemo }, [module]);
}

/** Installs, uninstalls, activates, deactivates and upgrades a module; every process serves the change at once. */
export function moduleRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.post('/web/module/action', async (request, reply) => {
    const caller = await signedIn(kernel, request, reply);
    if (!caller) return reply;
    const fields = readFields(request);
    checkCsrf(caller, givenCsrf(request, fields));
    checkAdmin(caller, 'sys.module', 'write');
    const isWhole = flagOf(fields.with_dependents, 'with_dependents');
    const change = changeOf(textField(fields, 'do'), isWhole);
    const module = await moduleOf(kernel, textField(fields, 'module').trim());
    const next = nextPath(textField(fields, 'next'), '/web/apps');
    if (flagOf(fields.dry_run, 'dry_run'))
      return answerPost(request, reply, await tryOut(kernel, change, module), next);
    const { states } = await kernel.changeModules((context) => change.run(context, module));
    await rememberChange(kernel, caller);
    const state = states.get(module) ?? 'uninstalled';
    if (!wantsJson(request))
      setFlash(kernel, { request, reply }, doneToast(kernel, module, change.done, request.words.say));
    return answerPost(request, reply, { module, state }, next);
  });
}

function changeOf(name: string, isWhole: boolean): (typeof changes)[string] {
  const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
  if (change?.run === uninstallModule && isWhole) return { ...change, run: uninstallWithDependents };
  if (change) return change;
  throw invalidArgs(`do must be one of ${Object.keys(changes).join(', ')}.`, {
    field: 'do',
    hint: Object.keys(changes).join(', '),
  });
}

/** An addon that was put there after the start, or another version of one, is found now. */
async function moduleOf(kernel: Kernel, name: string): Promise<string> {
  if (name === '') throw invalidArgs('module must name a module.', { field: 'module' });
  const catalogue = await kernel.refreshCatalogue();
  if (catalogue.has(name)) return name;
  const shown = name.slice(0, 80);
  throw new KontorError('NOT_FOUND', `There is no module "${shown}".${didYouMean(shown, catalogue.keys())}`, {
    module: shown,
  });
}

const previews = new Map([
  [uninstallModule, previewUninstall],
  [uninstallWithDependents, previewWithDependents],
]);

/** What would happen, without it: an uninstall tells what goes and what is put aside. */
async function tryOut(kernel: Kernel, change: (typeof changes)[string], module: string): Promise<object> {
  const preview = previews.get(change.run);
  if (preview) {
    return { dry_run: true, ...(await kernel.inspectModules((context) => preview(context, module))) };
  }
  const { states, reports } = await kernel.inspectModules((context) => change.run(context, module));
  return { dry_run: true, module, state: states.get(module) ?? 'uninstalled', reports };
}

function doneToast({ catalogue }: Kernel, module: string, done: Text, say: Translate) {
  const label = catalogue.get(module)?.manifest.label ?? module;
  return { kind: 'success' as const, title: say(label, module), body: say(done) };
}
