import { type Html, html, type RouteAnswer, secretHeaders, secretPage, type wordsIn } from '@kontor/addon';

export type Words = ReturnType<typeof wordsIn>;
export type Say = Words['say'];

interface Page {
  readonly title: string;
  readonly lang: string;
  readonly body: Html;
  readonly status?: number;
}

/** A page of its own small bundle. */
export function page(shown: Page): RouteAnswer {
  const head = html`<link rel="icon" href="data:,">
<link rel="stylesheet" href="/web/static/page-portal.css">
<script type="module" src="/web/static/page-portal.js"></script>`;
  return secretPage({ ...shown, head });
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
