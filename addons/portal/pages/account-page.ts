import { type Html, html, type RouteAnswer, text, wordsIn } from '@kontor/addon';
import type { Visit } from '../visits/visit.ts';
import { page, type Words } from './layout.ts';
import type { ShownList } from './read-document.ts';

export function accountPage({ lang, say }: Words, name: string, lists: readonly ShownList[]): RouteAnswer {
  const item = ({
    path,
    title,
    date,
    status,
    total,
  }: ShownList['rows'][number]) => html`<li><a class="what" href="${path}"><b dir="auto">${title}</b>
    <small>${date}</small></a><span class="amount">${total}${status && html`<span class="badge">${status}</span>`}</span></li>`;
  const body = html`<main class="list"><h1 dir="auto">${say(text('Welcome, {name}', { name }))}</h1>
    ${lists.map(({ label, rows }) => html`<h2>${label}</h2><ul class="lines">${rows.map(item)}</ul>`)}
    ${lists.length === 0 && html`<p>${say('There are no documents for you yet.')}</p>`}
    <form method="post" action="/portal/sign-out"><button class="second">${say('Sign out')}</button></form></main>`;
  return page({ title: say('Your documents'), lang, body });
}

/** A heading and what stands below it. */
function shortPage({ lang }: Words, title: string, below: Html, status = 200): RouteAnswer {
  return page({ title, lang, body: html`<main class="single"><h1>${title}</h1>${below}</main>`, status });
}

/** With a path, the button of a mailed link; otherwise the form that asks for one. */
export function signInPage(words: Words, path?: string): RouteAnswer {
  const { say } = words;
  const form = path
    ? html`<form method="post" action="${path}"><button>${say('Sign in')}</button></form>`
    : html`<form method="post" action="/portal/sign-in"><p>${say('Enter your e-mail address. If it is known, you get a link to sign in.')}</p>
      <label>${say('E-mail')}<input type="email" name="email" required autocomplete="email"></label>
      <button>${say('Send the link')}</button></form>`;
  return shortPage(words, say('Sign in'), form);
}

/** The same page for whoever finds nothing, whatever the reason. */
export function nothingPage(words: Words): RouteAnswer {
  const { say } = words;
  const why = say('The link is wrong, or it is no longer valid. Ask the person who sent it for a new one.');
  return shortPage(words, say('There is nothing here'), html`<p>${why}</p>`, 404);
}

export function expiredPage({ env, visitor, path }: Visit): RouteAnswer {
  const words = wordsIn(env, visitor.lang, 'portal');
  const { say } = words;
  const form = html`<form method="post" action="${path}/renew"><p>${say('We can send a new one to the address to which this one was sent.')}</p>
    <button>${say('Send a new link')}</button></form>`;
  return shortPage(words, say('This link has expired'), form, 404);
}

export function sentPage(words: Words): RouteAnswer {
  const { say } = words;
  const hint = html`<p>${say('If the address is known, a link is on its way to it.')}</p>`;
  return shortPage(words, say('Look into your mailbox'), hint);
}
