import { type RouteAnswer, type RouteRequest, type Text, text, toHtml, wordsIn } from '@kontor/addon';
import type { Ending } from './unsubscribe.ts';

/** The address is a capability: it goes to nobody, into no cache and into no search engine. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'private, no-store',
} as const;

type Button = { readonly label: Text; readonly does: 'end' | 'resume' };

interface Page {
  readonly lang: string;
  readonly title: Text;
  readonly text?: Text;
  readonly button?: Button;
  readonly status?: number;
}

/** The language of the browser, for links that lead nowhere. */
function browserLanguage({ headers: given }: RouteRequest): string {
  const [, lang = 'en', country = ''] = /^([a-z]{2,3})(?:-([a-z]{2}))?/i.exec(given['accept-language'] ?? '') ?? [];
  return country === '' ? lang.toLowerCase() : `${lang.toLowerCase()}_${country.toUpperCase()}`;
}

function page({ env }: RouteRequest, { lang, title, text: below, button, status = 200 }: Page): RouteAnswer {
  const { say } = wordsIn(env, lang, 'mail');
  const direction = /^(?:ar|fa|he|ur)(?:_|$)/.test(lang) ? 'rtl' : 'ltr';
  // A form without an address posts to the page itself.
  const form = button
    ? `<form method="post"><button name="do" value="${button.does}" class="primary">${toHtml(say(button.label))}</button></form>`
    : '';
  const body = `<!doctype html><html lang="${toHtml(lang.replaceAll('_', '-'))}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark"><title>${toHtml(say(title))}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/web/static/page-mail.css"></head>
<body><main class="single"><h1>${toHtml(say(title))}</h1>${below ? `<p>${toHtml(say(below))}</p>` : ''}${form}</main></body></html>`;
  return { status, headers, body };
}

export function askPage(request: RouteRequest, { lang, asked }: Ending): RouteAnswer {
  const button: Button = { label: text('Stop these e-mails'), does: 'end' };
  return page(request, { lang: lang ?? browserLanguage(request), title: asked, button });
}

export function endedPage(request: RouteRequest, { lang, told }: Ending): RouteAnswer {
  const button: Button = { label: text('Take it back'), does: 'resume' };
  return page(request, {
    lang: lang ?? browserLanguage(request),
    title: told,
    text: text('Was this a mistake?'),
    button,
  });
}

export function resumedPage(request: RouteRequest, { lang }: Ending, isBack: boolean): RouteAnswer {
  const title = isBack ? text('You get these e-mails again.') : text('This cannot be taken back any more.');
  return page(request, { lang: lang ?? browserLanguage(request), title });
}

export function invalidPage(request: RouteRequest): RouteAnswer {
  const title = text('This link is not valid.');
  const below = text('Use the link of the newest e-mail, or ask whoever wrote to you.');
  return page(request, { lang: browserLanguage(request), title, text: below, status: 404 });
}
