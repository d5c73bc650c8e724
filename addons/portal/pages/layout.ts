import { html, type RouteAnswer, type RouteRequest, secretHeaders, secretPage, wordsIn } from '@kontor/addon';

export type Words = ReturnType<typeof wordsIn>;
export type Say = Words['say'];

/** For somebody whose contact is not known. */
export const wordsOf = ({ env, lang }: RouteRequest): Words => wordsIn(env, lang, 'portal');

/** A page of its own small bundle. */
export function page(shown: Omit<Parameters<typeof secretPage>[0], 'head'>): RouteAnswer {
  const head = html`<link rel="icon" href="data:,">
<link rel="stylesheet" href="/web/static/page-portal.css">
<script type="module" src="/web/static/page-portal.js"></script>`;
  return secretPage({ ...shown, head });
}

/** After a post, so that a reload does not repeat it. */
export const seeOther = (location: string): RouteAnswer => ({ status: 303, headers: { ...secretHeaders, location } });
