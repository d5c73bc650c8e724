import { longestComment } from '@addons/mail';
import { type Html, html, type PortalPayment, type RouteAnswer, text, wordsIn } from '@kontor/addon';
import { renderSVG } from 'uqr';
import type { Visit } from '../visits/visit.ts';
import { page, type Say } from './layout.ts';
import type { ShownDocument, ShownLine } from './read-document.ts';
import type { PageParts } from './read-page.ts';

export function documentPage(visit: Visit, parts: PageParts): RouteAnswer {
  const { visitor, path, isPreview } = visit;
  const { document, company } = parts;
  const { say } = wordsIn(visit.env, visitor.lang, 'portal');
  const included = document.lines.filter(({ option }) => option === null);
  const options = document.lines.filter(({ option }) => option !== null);
  const body = html`
<header class="top"><div>
  ${company.logo && html`<img class="logo" alt="" src="data:image;base64,${company.logo}">`}
  <strong dir="auto">${company.name}</strong>
  ${company.phone && html`<a class="phone" href="tel:${company.phone.replaceAll(/[^\d+]/g, '')}" dir="ltr">${company.phone}</a>`}
</div></header>
${isPreview && html`<p class="notice preview">${say('This is what the customer sees. Nothing can be changed here.')}</p>`}
<main data-path="${path}" data-preview="${isPreview ? '1' : '0'}">
  <article>
    <p class="eyebrow">${document.label} · ${document.date}
      ${document.status && html`<span class="badge">${document.status}</span>`}
      ${document.until && parts.mayAccept && html`<span class="badge warm">${say(text('Valid until {date}', { date: document.until }))}</span>`}</p>
    <h1 dir="auto">${document.title}</h1>
    <p class="for" dir="auto">${say(text('For {name}', { name: visitor.name }))}</p>
    ${included.length > 0 && html`<ul class="lines">${included.map(lineItem)}</ul>`}
    ${options.length > 0 && optionList(options, parts, say)}
    ${document.facts.length > 0 && html`<dl class="facts">${document.facts.map(fact)}</dl>`}
  </article>
  <aside>
    ${totals(document, parts, say)}
    ${parts.signature && signed(parts.signature, say)}
    ${parts.mayAccept && acceptForm(visit, parts, say)}
    ${parts.mayDecline && declineForm(visit, say)}
    ${visit.spec.document && html`<a class="button second" href="${path}/document.pdf" target="_blank" rel="noopener">${say('Download PDF')}</a>`}
    ${visit.spec.allows?.includes('comment') && questions(visit, parts, say)}
  </aside>
</main>
${
  parts.mayAccept &&
  document.total &&
  html`<div class="bar"><span><small>${document.total.label}</small><b data-copy>${document.total.value}</b></span>
  <a class="button" href="#accept">${say('Accept and sign')}</a></div>`
}`;
  return page({ title: `${document.title} · ${company.name}`, lang: visitor.lang, body });
}

const fact = ([label, value]: readonly [string, string]): Html =>
  html`<div><dt>${label}</dt><dd dir="auto">${value}</dd></div>`;

function lineItem({ kind, title, about, quantity, amount, status }: ShownLine): Html {
  if (kind === 'section') return html`<li class="section" dir="auto">${title}</li>`;
  if (kind === 'note') return html`<li class="note" dir="auto">${title} ${about}</li>`;
  return html`<li><span class="what"><b dir="auto">${title}</b>${about && html`<small dir="auto">${about}</small>`}
    <small class="count">${quantity}</small></span>
    <span class="amount">${amount}${status && html`<span class="badge">${status}</span>`}</span></li>`;
}

function optionList(options: readonly ShownLine[], { mayAccept }: PageParts, say: Say): Html {
  const item = ({ id, title, about, quantity, amount, option }: ShownLine) => html`<li><label>
    <input type="checkbox" name="chosen" form="accept" value="${id}" data-total="${option?.total}" data-untaxed="${option?.untaxed}" ${mayAccept ? '' : html`disabled`}>
    <span class="what"><b dir="auto">${title}</b>${about && html`<small dir="auto">${about}</small>`}<small class="count">${quantity}</small></span>
    <span class="amount">${amount}</span></label></li>`;
  return html`<h2>${say('Options')} <small>${say('Tick what you would like to add.')}</small></h2>
    <ul class="lines options">${options.map(item)}</ul>`;
}

function totals({ sums, total, currency }: ShownDocument, { payment }: PageParts, say: Say): Html {
  const places = currency?.decimal_places ?? 2;
  return html`${
    total &&
    html`<section class="card totals">
    <p class="total"><span>${total.label}</span>
      <strong data-amount="${total.exact}" data-places="${places}" data-symbol="${currency?.symbol ?? ''}">${total.value}</strong></p>
    <dl>${sums.map(fact)}<div data-options hidden><dt>${say('Options')}</dt><dd></dd></div></dl></section>`
  }${payment && paymentCard(payment, say)}`;
}

function paymentCard({ amount, due, details, code }: PortalPayment, say: Say): Html {
  const picture = code && Buffer.from(renderSVG(code, { ecc: 'M', border: 2 })).toString('base64');
  return html`<section class="card pay"><h2>${say('To pay')}</h2>
    <p class="total"><span>${due && say(text('Due on {date}', { date: due }))}</span><strong>${amount}</strong></p>
    <dl>${details.map(([label, value]) => html`<div><dt>${label}</dt><dd><code dir="ltr">${value}</code></dd></div>`)}</dl>
    ${
      picture &&
      html`<img class="code" alt="${say('Payment code')}" src="data:image/svg+xml;base64,${picture}">
      <p class="hint">${say('Scan the code with your banking app.')}</p>`
    }</section>`;
}

function signed({ name, date, picture }: NonNullable<PageParts['signature']>, say: Say): Html {
  return html`<section class="card ok"><h2>${say('Signed')}</h2><img class="signature" alt="" src="data:image/png;base64,${picture}">
    <p dir="auto">${say(text('{name}, {date}', { name, date }))}</p></section>`;
}

function acceptForm({ path, visitor, isPreview }: Visit, { document }: PageParts, say: Say): Html {
  return html`<form id="accept" class="card" method="post" action="${path}/accept">
    <input type="hidden" name="version" value="${document.version}"><input type="hidden" name="picture" value="">
    <label>${say('Your name')}<input name="name" required maxlength="100" autocomplete="name" value="${visitor.name}"></label>
    <div class="pad"><span>${say('Signature')}</span>
      <button type="button" class="link" data-type>${say('Type instead')}</button>
      <canvas width="640" height="200" aria-label="${say('Draw your signature here')}" tabindex="0"></canvas>
      <button type="button" class="link" data-clear>${say('Clear')}</button></div>
    <p class="problem" role="alert" hidden data-missing="${say('Draw or type your signature first.')}"></p>
    <p class="hint">${say('By signing, you accept this document with the chosen options.')}</p>
    <button ${isPreview ? html`disabled` : ''}>${say('Accept and sign')}</button></form>`;
}

function declineForm({ path, isPreview }: Visit, say: Say): Html {
  return html`<details class="card"><summary>${say('Decline')}</summary><form method="post" action="${path}/decline">
    <label>${say('Reason')}<textarea name="reason" required maxlength="${longestComment}" rows="3"></textarea></label>
    <button class="second" ${isPreview ? html`disabled` : ''}>${say('Decline')}</button></form></details>`;
}

function questions({ path, spec, isPreview }: Visit, { messages, document }: PageParts, say: Say): Html {
  const label = document.contact
    ? say(text('Ask {name} a question', { name: document.contact }))
    : say('Ask a question');
  const item = ({
    author,
    date,
    body,
    files,
  }: PageParts['messages'][number]) => html`<li><b dir="auto">${author}</b> <time>${date}</time>
    <p dir="auto">${body}</p>${files.map(({ id, name }) => html`<a href="${path}/files/${id}" target="_blank" rel="noopener" dir="auto">${name}</a> `)}</li>`;
  return html`<section class="card" id="questions"><h2>${say('Questions')}</h2>
    <ul class="messages">${messages.map(item)}</ul>
    <form method="post" action="${path}/comment" enctype="multipart/form-data">
      <textarea name="body" required maxlength="${longestComment}" rows="2" aria-label="${label}" placeholder="${label}"></textarea>
      ${spec.allows?.includes('attach') && html`<input type="file" name="file" aria-label="${say('Add a file')}" accept=".pdf,.png,.jpg,.jpeg,.txt,.csv,.docx,.xlsx,.odt,.ods">`}
      <button class="second" ${isPreview ? html`disabled` : ''}>${say('Send')}</button></form></section>`;
}
