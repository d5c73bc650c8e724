import type { RouteAnswer, wordsIn } from '@kontor/addon';
import { type Html, html } from './html.ts';

export type Say = ReturnType<typeof wordsIn>['say'];

/** On every answer: the address is a secret, so it goes to nobody, into no cache and into no search engine. */
const secretHeaders = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cache-control': 'private, no-store',
} as const;

interface Page {
  readonly title: string;
  readonly lang: string;
  readonly body: Html;
  readonly status?: number;
}

/** A page of its own small bundle; nothing comes from another server. */
export function page({ title, lang, body, status = 200 }: Page): RouteAnswer {
  const direction = /^(?:ar|fa|he|ur)(?:_|$)/.test(lang) ? 'rtl' : 'ltr';
  const { markup } = html`<html lang="${lang.replaceAll('_', '-')}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/web/static/page-portal.css">
<script type="module" src="/web/static/page-portal.js"></script>
</head>
<body>${body}</body>
</html>`;
  const headers = { ...secretHeaders, 'content-type': 'text/html; charset=utf-8' };
  return { status, headers, body: `<!doctype html>\n${markup}` };
}

export function file(name: string, type: string, body: Buffer, isShown = true): RouteAnswer {
  const disposition = `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`;
  return { headers: { ...secretHeaders, 'content-type': type, 'content-disposition': disposition }, body };
}

/** After a post, so that a reload does not repeat it. */
export function seeOther(location: string): RouteAnswer {
  return { status: 303, headers: { ...secretHeaders, location } };
}

export function done(): RouteAnswer {
  return { status: 204, headers: secretHeaders };
}
