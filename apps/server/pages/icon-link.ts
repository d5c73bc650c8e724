import { type Html, html } from './html.ts';

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0e6273"/>' +
  '<path d="M11 8v16M21 8l-9 8 9 8" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The product's mark for the tab, in the page itself: one request less. */
export const iconLink: Html = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(picture)}">`;
