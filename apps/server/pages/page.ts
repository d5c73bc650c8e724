import { directionOf, languageTag } from '@kontor/kernel';
import type { RequestWords } from '../http/request-language.ts';
import { type Html, html } from './html.ts';
import { iconLink } from './icon-link.ts';
import { pageStyles } from './page-styles.ts';

export interface PageContent {
  readonly nonce: string;
  readonly title: string;
  /** A line under the title. */
  readonly about?: string;
  readonly body: Html;
  /** A form of several columns. */
  readonly isWide?: boolean;
  readonly words: RequestWords;
}

/** A page that needs no script: one card on the canvas, in the product's own look. */
export function page({ nonce, title, about, body, words, isWide = false }: PageContent): string {
  const { markup } = html`<html lang="${languageTag(words.lang)}" dir="${directionOf(words.lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${iconLink}
<title>${title} · Kontor</title>
<style nonce="${nonce}">${{ markup: pageStyles }}</style>
</head>
<body>
<header class="brand"><i aria-hidden="true">K</i><span>Kontor</span></header>
<main class="${isWide ? 'wide' : ''}">
<div class="head"><h1>${title}</h1>${about ? html`<p>${about}</p>` : ''}</div>
${body}
</main>
</body>
</html>`;
  return `<!doctype html>\n${markup}`;
}
