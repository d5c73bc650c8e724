import { type RouteAnswer, text } from '@kontor/addon';
import type { Visitor } from '../visits/visit.ts';
import { html } from './html.ts';
import { page, type Say } from './layout.ts';

export interface ListedRow {
  readonly path: string;
  readonly title: string;
  readonly date: string;
  readonly status: string;
  readonly total: string;
}
export interface ListedModel {
  readonly label: string;
  readonly rows: readonly ListedRow[];
}

export function accountPage(say: Say, { name, lang }: Visitor, models: readonly ListedModel[]): RouteAnswer {
  const item = ({
    path,
    title,
    date,
    status,
    total,
  }: ListedRow) => html`<li><a class="what" href="${path}"><b dir="auto">${title}</b>
    <small>${date}</small></a><span class="amount">${total}${status && html`<span class="badge">${status}</span>`}</span></li>`;
  const body = html`<main class="list"><h1 dir="auto">${say(text('Welcome, {name}', { name }))}</h1>
    ${models.map(({ label, rows }) => html`<h2>${label}</h2><ul class="lines">${rows.map(item)}</ul>`)}
    ${models.length === 0 && html`<p>${say('There are no documents for you yet.')}</p>`}
    <form method="post" action="/portal/sign-out"><button class="second">${say('Sign out')}</button></form></main>`;
  return page({ title: say('Your documents'), lang, body });
}

/** With a path, the button of a mailed link; otherwise the form that asks for one. */
export function signInPage(say: Say, lang: string, path?: string): RouteAnswer {
  const form = path
    ? html`<form method="post" action="${path}"><button>${say('Sign in')}</button></form>`
    : html`<form method="post" action="/portal/sign-in"><p>${say('Enter your e-mail address. If it is known, you get a link to sign in.')}</p>
      <label>${say('E-mail')}<input type="email" name="email" required autocomplete="email"></label>
      <button>${say('Send the link')}</button></form>`;
  return page({
    title: say('Sign in'),
    lang,
    body: html`<main class="single"><h1>${say('Sign in')}</h1>${form}</main>`,
  });
}

/** The same page for whoever finds nothing, whatever the reason. */
export function nothingPage(say: Say, lang: string): RouteAnswer {
  const body = html`<main class="single"><h1>${say('There is nothing here')}</h1>
    <p>${say('The link is wrong, or it is no longer valid. Ask the person who sent it for a new one.')}</p></main>`;
  return page({ title: say('There is nothing here'), lang, body, status: 404 });
}

export function expiredPage(say: Say, lang: string, path: string): RouteAnswer {
  const body = html`<main class="single"><h1>${say('This link has expired')}</h1>
    <form method="post" action="${path}/renew"><p>${say('We can send a new one to the address to which this one was sent.')}</p>
    <button>${say('Send a new link')}</button></form></main>`;
  return page({ title: say('This link has expired'), lang, body, status: 404 });
}

export function sentPage(say: Say, lang: string): RouteAnswer {
  const body = html`<main class="single"><h1>${say('Look into your mailbox')}</h1>
    <p>${say('If the address is known, a link is on its way to it.')}</p></main>`;
  return page({ title: say('Look into your mailbox'), lang, body });
}
