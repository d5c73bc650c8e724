import { directionOf, languageTag, type RouteAnswer } from '@kontor/kernel';
import { type Html, html } from './html.ts';

/**
 * Headers for answers at an address that is a secret: it goes to nobody, into no cache and into no search engine.
 * ```ts
 * export const seen: RouteAnswer = { status: 204, headers: secretHeaders };
 * ```
 */
export const secretHeaders = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cache-control': 'private, no-store',
} as const;

interface SecretPage {
  readonly title: string;
  /** Such as `de_DE`. */
  readonly lang: string;
  /** Styles and scripts; nothing comes from another server. */
  readonly head: Html;
  readonly body: Html;
  readonly status?: number;
  /** In addition to `secretHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A page for somebody who is no user, at an address that is a secret.
 * ```ts
 * export const gone = (lang: string) =>
 *   secretPage({ title: 'Gone', lang, head: html``, body: html`<main><h1>It was fetched.</h1></main>`, status: 404 });
 * ```
 */
export function secretPage({ title, lang, head, body, status = 200, headers = {} }: SecretPage): RouteAnswer {
  const { markup } = html`<html lang="${languageTag(lang)}" dir="${directionOf(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>${body}</body>
</html>`;
  return {
    status,
    headers: { ...secretHeaders, 'content-type': 'text/html; charset=utf-8', ...headers },
    body: `<!doctype html>\n${markup}`,
  };
}
