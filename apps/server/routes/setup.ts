import { type Kernel, languageChain, ownLanguageName, systemActor } from '@kontor/kernel';
import { initialise, keepBaseAddress, readSetupForm, type SetupChoices } from '@kontor/parts';
import { KontorError } from '@kontor/protocol';
import { catalogueWords } from '@kontor/workspace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkSetupRight } from '../guards/setup-right.ts';
import { wantsJson } from '../http/envelope.ts';
import { type Fields, readFields, textField } from '../http/fields.ts';
import { ownAddress } from '../http/own-address.ts';
import { inlineIcon, setupPage } from '../pages/setup-page.ts';

/** The first-run wizard; gone once it has been through. */
export function setupRoutes(server: FastifyInstance, kernel: Kernel): void {
  server.get('/', async (_request, reply) =>
    reply.redirect((await kernel.isInitialised()) ? '/web/home' : '/setup', 302),
  );

  server.get('/setup', async (request, reply) => {
    await refuseWhenDone(kernel);
    return sendWizard(kernel, { request, reply }, 200, {});
  });

  server.post('/setup/init', async (request, reply) => {
    await refuseWhenDone(kernel);
    const fields = readFields(request);
    checkSetupRight(request, kernel.config.setupToken, givenToken(request, fields));
    try {
      await initialise(kernel, readSetupForm(fields, await choicesOf(kernel)));
      if (ownAddress(request) !== '') await keepBaseAddress(kernel.database, ownAddress(request));
    } catch (error) {
      if (wantsJson(request) || !isRefusal(error)) throw error;
      const { details } = error.told(request.words.say);
      return sendWizard(kernel, { request, reply }, 422, fields, details.fields as Problems);
    }
    if (wantsJson(request)) return reply.send({ ok: true, redirect: '/web/login' });
    return reply.redirect('/web/login', 303);
  });
}

type Problems = Readonly<Record<string, readonly string[]>>;

async function refuseWhenDone(kernel: Kernel): Promise<void> {
  if (await kernel.isInitialised()) throw new KontorError('NOT_FOUND', 'There is no such page.');
}

function givenToken(request: FastifyRequest, fields: Fields): string {
  return textField(fields, 'setup_token') || String(request.headers['x-setup-token'] ?? '');
}

function isRefusal(error: unknown): error is KontorError {
  return error instanceof KontorError && error.code === 'VALIDATION_ERROR' && error.details.fields !== undefined;
}

async function languagesOf(kernel: Kernel): Promise<readonly { code: string; name: string }[]> {
  const rows = await kernel.read(
    systemActor,
    (env) => env.model('core.lang').searchRead([['active', '=', true]], ['code'], { order: 'name' }),
    { isSudo: true },
  );
  return rows.map((row) => ({ code: String(row.code), name: ownLanguageName(String(row.code)) }));
}

/** What the browser asks for, where it can be had. */
function proposedLanguage(lang: string, languages: readonly { readonly code: string }[]): string {
  const codes = new Set(languages.map(({ code }) => code));
  return languageChain(lang).find((each) => codes.has(each)) ?? 'en_US';
}

async function choicesOf(kernel: Kernel): Promise<SetupChoices> {
  const languages = await languagesOf(kernel);
  return { languages: new Set(languages.map(({ code }) => code)), addons: new Set(kernel.catalogue.keys()) };
}

async function sendWizard(
  kernel: Kernel,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  status: number,
  fields: Fields,
  problems: Problems = {},
): Promise<FastifyReply> {
  const { words } = request;
  const languages = await languagesOf(kernel);
  const say = await catalogueWords(kernel, words.lang);
  const applications = [...kernel.catalogue.values()].filter(({ manifest }) => manifest.application);
  const apps = await Promise.all(
    applications.map(async (addon) => {
      const { name, label, summary } = addon.manifest;
      return { name, label: say(label, name), summary: say(summary, name), icon: await inlineIcon(addon) };
    }),
  );
  const content = setupPage({
    nonce: reply.nonce,
    words,
    values: Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string')) as Record<
      string,
      string
    >,
    problems,
    proposedLanguage: proposedLanguage(words.lang, languages),
    languages,
    apps,
    chosenApps: [fields.apps].flat().filter((name) => typeof name === 'string'),
    needsToken: kernel.config.setupToken !== '',
  });
  return reply.code(status).type('text/html; charset=utf-8').send(content);
}
