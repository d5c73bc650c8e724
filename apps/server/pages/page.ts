import { directionOf, languageTag } from '@kontor/kernel';
import { Html, html } from '@kontor/parts';
import type { RequestWords } from '../http/request-language.ts';

interface PageContent {
  readonly nonce: string;
  readonly title: string;
  /** A line below the title. */
  readonly about?: string;
  readonly body: Html;
  /** A form of several columns. */
  readonly isWide?: boolean;
  readonly words: RequestWords;
}

/** A page without scripts: one card, in the look of the product. */
export function page({ nonce, title, about, body, words, isWide = false }: PageContent): string {
  const { markup } = html`<html lang="${languageTag(words.lang)}" dir="${directionOf(words.lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${iconLink}
<title>${title} · Kontor</title>
<style nonce="${nonce}">${new Html(pageStyles)}</style>
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

/** Design tokens of the client, and the few styles that pages without scripts need. */
const pageStyles = `
@font-face { font-family: "Inter Variable"; src: url("/web/static/page-font.woff2") format("woff2"); font-weight: 100 900;
  font-display: swap; }
:root { color-scheme: light; --font: "Inter Variable", Inter, "Segoe UI", system-ui, sans-serif;
  --canvas: #f6f6f3; --surface: #fff; --sunken: #f0f0ec; --line: #e4e3dd; --line-control: #8b9088; --ink: #1d2226;
  --ink-2: #5a6269; --accent: #0e6273; --accent-hover: #0b5362; --accent-ink: #fff; --accent-soft: #e0eff2; --focus: #1c8ca3;
  --bad: #b3362b; --bad-soft: #fbe7e4; --ok: #26703f; --ok-soft: #e3f2e8;
  --shadow: 0 1px 2px rgb(20 24 28 / .06), 0 12px 32px rgb(20 24 28 / .08); }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark;
  --canvas: #101315; --surface: #171b1e; --sunken: #131719; --line: #272d31; --line-control: #6b757c; --ink: #e7eaec;
  --ink-2: #a3adb4; --accent: #54b7cb; --accent-hover: #6cc6d8; --accent-ink: #06222a; --accent-soft: #14303a; --focus: #6fd0e4;
  --bad: #f08b80; --bad-soft: #3a1b18; --ok: #74c695; --ok-soft: #173a28;
  --shadow: 0 2px 6px rgb(0 0 0 / .4), 0 16px 40px rgb(0 0 0 / .4); } }
* { box-sizing: border-box; margin: 0; }
html { height: 100%; }
body { font: 400 14px/1.5 var(--font); color: var(--ink); background: var(--canvas); min-height: 100%; padding: 32px 16px;
  display: grid; align-content: center; justify-items: center; gap: 24px; -webkit-font-smoothing: antialiased;
  font-feature-settings: "cv05", "ss03"; background-image: radial-gradient(60rem 30rem at 50% -10rem, var(--accent-soft), transparent);
  background-repeat: no-repeat; }
.brand { display: flex; align-items: center; gap: 10px; font-weight: 600; font-size: 17px; letter-spacing: -.01em; }
.brand i { width: 34px; height: 34px; border-radius: 9px; background: var(--accent); color: var(--accent-ink);
  display: grid; place-items: center; font: 700 18px var(--font); }
main { width: min(100%, 400px); background: var(--surface); border: 1px solid var(--line); border-radius: 16px;
  box-shadow: var(--shadow); padding: 32px; display: grid; gap: 20px; }
main.wide { width: min(100%, 760px); }
h1 { font-size: 22px; font-weight: 600; letter-spacing: -.015em; line-height: 1.2; }
h2 { font-size: 15px; font-weight: 600; letter-spacing: -.01em; }
.head { display: grid; gap: 4px; } .head p, .hint { color: var(--ink-2); } .hint { font-size: 12px; }
form { display: grid; gap: 20px; } .field { display: grid; gap: 4px; align-content: start; min-width: 0; }
.section { display: grid; gap: 12px; } .section + .section { border-top: 1px solid var(--line); padding-top: 20px; }
.pair { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr)); }
label { font-weight: 500; font-size: 13px; }
input, select { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-control);
  border-radius: 8px; padding: 0 12px; height: 44px; width: 100%; min-width: 0; }
select { appearance: none; padding-inline-end: 32px; background-image: linear-gradient(45deg, transparent 50%, var(--ink-2) 50%),
  linear-gradient(-45deg, transparent 50%, var(--ink-2) 50%); background-position: right 17px top 52%, right 13px top 52%;
  background-size: 4px 4px; background-repeat: no-repeat; }
select:dir(rtl) { background-position: left 13px top 52%, left 17px top 52%; }
input[type="checkbox"] { width: 18px; height: 18px; accent-color: var(--accent); flex: none; margin: 0; }
input[aria-invalid="true"] { border-color: var(--bad); }
fieldset { border: 0; padding: 0; min-width: 0; } legend { float: left; width: 100%; padding: 0; font-size: 15px; font-weight: 600; letter-spacing: -.01em; }
.apps { clear: both; display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); margin-top: 12px; }
.choice { display: flex; align-items: center; gap: 12px; min-height: 44px; font-weight: 400; cursor: pointer; }
.apps .choice { align-items: start; padding: 12px; border: 1px solid var(--line); border-radius: 12px; }
.apps .choice:hover { border-color: var(--line-control); }
.apps .choice:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
.choice img { width: 36px; height: 36px; border-radius: 10px; flex: none; }
.choice span { display: grid; flex: 1; min-width: 0; } .choice b { font-weight: 600; }
button, .button { font: inherit; font-weight: 600; border: 0; border-radius: 8px; background: var(--accent);
  color: var(--accent-ink); min-height: 44px; padding: 0 20px; cursor: pointer; text-decoration: none; display: inline-flex;
  align-items: center; justify-content: center; }
button:hover, .button:hover { background: var(--accent-hover); }
.second, a.button.second { background: var(--surface); color: var(--ink); border: 1px solid var(--line-control); }
.second:hover, a.button.second:hover { background: var(--sunken); } [hidden] { display: none !important; }
a { color: var(--accent); text-underline-offset: 2px; } a.button { color: var(--accent-ink); }
.foot { text-align: center; font-size: 13px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.problem { color: var(--bad); font-size: 13px; }
.notice { border-radius: 8px; padding: 10px 12px; background: var(--accent-soft); font-size: 13px; }
.notice.bad { background: var(--bad-soft); color: var(--bad); } .notice.ok { background: var(--ok-soft); color: var(--ok); }
.qr { display: grid; justify-items: center; } .qr img { border-radius: 12px; background: #fff; }
.codes { list-style: none; padding: 0; display: grid; gap: 8px 16px; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); }
code { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: 13px; overflow-wrap: anywhere; }
@media (max-width: 480px) { main { padding: 24px 20px; } body { align-content: start; gap: 20px; } }
`;

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0e6273"/>' +
  '<path d="M11 8v16M21 8l-9 8 9 8" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The favicon, inlined: one request less. */
export const iconLink: Html = html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(picture)}">`;

interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly autocomplete: string;
  readonly hint?: string;
  readonly problems?: readonly string[] | undefined;
  readonly isFirst?: boolean;
}

/** A labelled input with its hint and errors, linked for assistive technology. */
export function formField(field: FormField): Html {
  const problems = field.problems ?? [];
  const described = [field.hint ? `${field.name}-hint` : '', problems.length > 0 ? `${field.name}-problem` : '']
    .filter((id) => id !== '')
    .join(' ');
  return html`<div class="field">
    <label for="${field.name}">${field.label}</label>
    <input id="${field.name}" name="${field.name}" type="${field.type ?? 'text'}" value="${field.value ?? ''}"
      autocomplete="${field.autocomplete}" required ${field.isFirst ? html`autofocus` : ''}
      ${described ? html`aria-describedby="${described}"` : ''} ${problems.length > 0 ? html`aria-invalid="true"` : ''}>
    ${field.hint ? html`<p class="hint" id="${field.name}-hint">${field.hint}</p>` : ''}
    ${problems.length > 0 ? html`<p class="problem" id="${field.name}-problem">${problems.join(' ')}</p>` : ''}
  </div>`;
}

export function notice(kind: 'ok' | 'bad' | '', text: string): Html {
  return html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`;
}
