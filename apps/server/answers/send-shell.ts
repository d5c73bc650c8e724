import { directionOf, type Kernel, languageTag, type Translations } from '@kontor/kernel';
import { toJson } from '@kontor/orm';
import { Html, html } from '@kontor/parts';
import { type Bootstrap, fieldType } from '@kontor/protocol';
import { type BootstrapPage, buildBootstrap } from '@kontor/workspace';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AddonClients } from '../client/addon-clients.ts';
import type { ClientAssets } from '../client/client-assets.ts';
import type { SessionCaller } from '../guards/authenticate.ts';
import { okEnvelope } from '../http/envelope.ts';
import { takeFlash } from '../http/flash.ts';
import type { RequestWords } from '../http/request-language.ts';
import { iconLink, page } from '../pages/page.ts';

export interface Shell {
  readonly kernel: Kernel;
  readonly assets: () => Promise<ClientAssets | null>;
  readonly clients: AddonClients;
  readonly clientWords: Translations;
}

/** The page around the client, with its bootstrap object; the message of the last post is shown once, here. */
export async function sendShell(
  { kernel, assets, clients, clientWords }: Shell,
  caller: SessionCaller,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  page: Omit<BootstrapPage, 'toasts' | 'clientAddons'>,
): Promise<FastifyReply> {
  const flash = await takeFlash(kernel, { request, reply }, caller.actor.uid);
  const bootstrap = await buildBootstrap(kernel, caller, {
    ...page,
    toasts: flash ? [flash] : [],
    clientAddons: await clients.present(),
    clientWords: clientWords.words(caller.actor.lang),
  });
  const [built, imports] = await Promise.all([assets(), clients.imports()]);
  const content = shellPage({ nonce: reply.nonce, words: request.words, bootstrap, assets: built, imports });
  return reply.header('vary', 'accept, cookie').type('text/html; charset=utf-8').send(content);
}

export function sendResult(reply: FastifyReply, result: unknown): FastifyReply {
  reply.header('vary', 'accept, cookie');
  return reply.type('application/json; charset=utf-8').send(okEnvelope(toJson(result)));
}

interface ShellPage {
  readonly nonce: string;
  readonly words: RequestWords;
  readonly bootstrap: Bootstrap;
  readonly assets: ClientAssets | null;
  /** The import map for the code of addons. */
  readonly imports: Readonly<Record<string, string>>;
}

/** The page that starts the client: it contains what is needed first, the rest is loaded. */
function shellPage({ nonce, words, bootstrap, assets, imports }: ShellPage): string {
  if (!assets) return unbuiltPage(nonce, words, bootstrap);
  const { script, views } = assets;
  const view = views[bootstrap.firstWorkspace?.viewType ?? ''];
  const styles = [...assets.styles, ...(view?.styles ?? [])];
  const preloads = [...assets.preloads, ...(view?.preloads ?? [])];
  const { markup } =
    html`<html lang="${languageTag(bootstrap.lang)}" dir="${directionOf(bootstrap.lang)}" data-theme="${bootstrap.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${iconLink}
<title>Kontor</title>
${needsLanguages(bootstrap) ? warmScript(nonce, bootstrap.lang) : ''}
<script type="importmap" nonce="${nonce}">${new Html(scriptJson({ imports }))}</script>
${styles.map((href) => html`<link rel="stylesheet" href="${href}">\n`)}
${preloads.map((href) => html`<link rel="modulepreload" href="${href}">\n`)}
</head>
<body>
<div id="root"></div>
<noscript><p>${words.say('Kontor needs JavaScript. Switch it on in your browser and load this page again.')}</p></noscript>
${bootstrapScript(nonce, bootstrap)}
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
  return `<!doctype html>\n${markup}`;
}

function unbuiltPage(nonce: string, words: RequestWords, bootstrap: Bootstrap): string {
  return page({
    nonce,
    words,
    title: 'The client is not built',
    body: html`<p>You are signed in as ${bootstrap.user.name}. The server works, but its web client has not been built:
      run <code>npm run build</code> and load this page again.</p>
      <p><a class="button" href="/web/logout">Sign out</a></p>
      ${bootstrapScript(nonce, bootstrap)}`,
  });
}

function bootstrapScript(nonce: string, bootstrap: Bootstrap): Html {
  return html`<script nonce="${nonce}">window.__WC_BOOTSTRAP__ = ${new Html(scriptJson(bootstrap))};</script>`;
}

/**
 * Numbers and dates of a list are formatted by rules in the page; for anything else the browser must load its locale
 * data.
 */
function needsLanguages({ firstWorkspace, forms }: Bootstrap): boolean {
  if (firstWorkspace?.viewType !== 'list' || !forms?.number || !forms.date) return true;
  const { groupBy = [], fields } = firstWorkspace.arch;
  return groupBy.length > 0 || fields.some(({ type }) => fieldType(type).isInstant);
}

/** Formatting the first number takes the browser as long as a frame. This does it while styles and code are loading. */
function warmScript(nonce: string, lang: string): Html {
  return html`<script nonce="${nonce}">new Intl.NumberFormat("${languageTag(lang)}").format(0);</script>`;
}

/** JSON that is safe in a script element: nothing in it ends the element, opens a comment or breaks a line. */
export function scriptJson(value: unknown): string {
  return toJson(value).replaceAll(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
