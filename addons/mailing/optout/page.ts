import { Html, html, type RouteAnswer, type RouteRequest, secretPage, text, wordsIn } from '@kontor/addon';

interface Shown {
  readonly email: string;
  readonly isOut: boolean;
  readonly action: string;
}

const style = `:root{color-scheme:light dark;--ink:#1d2226;--mut:#5a6269;--page:#f6f6f3;--card:#fff;--line:#e4e3dd;--accent:#0e6273;--on:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaec;--mut:#a6adb4;--page:#14171a;--card:#1d2125;--line:#343a40;--accent:#8fd0dd;--on:#14171a}}
body{margin:0;padding:48px 16px;background:var(--page);color:var(--ink);font:16px/1.55 Inter,system-ui,sans-serif}
main{max-width:440px;margin:auto;padding:28px;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{margin:0 0 12px;font-size:20px;line-height:1.35}p{margin:0 0 18px;color:var(--mut);overflow-wrap:anywhere}
button{min-height:44px;padding:0 20px;border:0;border-radius:7px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;

/** Nothing runs or loads on it. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** What the owner of an address wants, with a button to change it. Null: the link is not valid. */
export function optOutPage({ env, lang }: Pick<RouteRequest, 'env' | 'lang'>, shown: Shown | null): RouteAnswer {
  const { say } = wordsIn(env, lang, 'mailing');
  const title =
    shown === null
      ? say('This link is not valid.')
      : say(shown.isOut ? 'You get no more mailings' : 'Unsubscribe from mailings?');
  const below = shown === null ? html`<p>${say('Take it from the newest mail that you got.')}</p>` : formOf(shown, say);
  return secretPage({
    ...{ title, lang, head: new Html(`<style>${style}</style>`), headers: { 'content-security-policy': policy } },
    body: html`<main><h1>${title}</h1>${below}</main>`,
    status: shown === null ? 404 : 200,
  });
}

function formOf({ email, isOut, action }: Shown, say: (words: string | ReturnType<typeof text>) => string): Html {
  const said = isOut
    ? text('{email} gets no mailings any more. Other messages, such as answers and invoices, still arrive.', { email })
    : text('{email} will get no mailings any more.', { email });
  const label = isOut ? say('Subscribe again') : say('Unsubscribe');
  const wanted = isOut ? 'subscribe' : 'unsubscribe';
  return html`<p>${say(said)}</p><form method="post" action="${action}"><button name="do" value="${wanted}">${label}</button></form>`;
}
