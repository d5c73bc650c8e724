import { html, type RouteAnswer, type RouteRequest, secretPage, type Text, text, wordsIn } from '@kontor/addon';
import type { Ending } from './unsubscribe.ts';

type Button = { readonly label: Text; readonly does: 'end' | 'resume' };

interface Page {
  /** Null: that of the browser. */
  readonly lang: string | null;
  readonly title: Text;
  readonly text?: Text;
  readonly button?: Button;
  readonly status?: number;
}

function page(request: RouteRequest, { title, text: below, button, status = 200, ...page }: Page): RouteAnswer {
  const { say, lang } = wordsIn(request.env, page.lang ?? request.lang, 'mail');
  // A form without an address posts to the page itself.
  const form =
    button &&
    html`<form method="post"><button name="do" value="${button.does}" class="primary">${say(button.label)}</button></form>`;
  const head = html`<link rel="icon" href="data:,"><link rel="stylesheet" href="/web/static/page-mail.css">`;
  const body = html`<main class="single"><h1>${say(title)}</h1>${below && html`<p>${say(below)}</p>`}${form}</main>`;
  return secretPage({ title: say(title), lang, head, body, status });
}

export function askPage(request: RouteRequest, { lang, asked }: Ending): RouteAnswer {
  const button: Button = { label: text('Stop these e-mails'), does: 'end' };
  return page(request, { lang, title: asked, button });
}

export function endedPage(request: RouteRequest, { lang, told }: Ending): RouteAnswer {
  const button: Button = { label: text('Take it back'), does: 'resume' };
  return page(request, { lang, title: told, text: text('Was this a mistake?'), button });
}

export function resumedPage(request: RouteRequest, { lang }: Ending, isBack: boolean): RouteAnswer {
  const title = isBack ? text('You get these e-mails again.') : text('This cannot be taken back any more.');
  return page(request, { lang, title });
}

export function invalidPage(request: RouteRequest): RouteAnswer {
  const title = text('This link is not valid.');
  const below = text('Use the link of the newest e-mail, or ask whoever wrote to you.');
  return page(request, { lang: null, title, text: below, status: 404 });
}
