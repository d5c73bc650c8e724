import type { ActionAnswer } from '../model/behaviour.ts';

const here = 'http://kontor.invalid';

/** An action answers nothing or a page of this server; anything else is its author's mistake and leads nowhere. */
export function checkRedirect(action: string, answer: unknown): ActionAnswer {
  if (answer === undefined || answer === null) return undefined;
  const redirect = typeof answer === 'object' && 'redirect' in answer ? answer.redirect : undefined;
  if (typeof redirect !== 'string') throw new Error(`${action} must answer nothing or { redirect }.`);
  const path = ownPath(redirect);
  if (path === null) throw new Error(`${action} redirects to ${redirect}, which is not / or a path under /web.`);
  return { redirect: path };
}

function ownPath(redirect: string): string | null {
  if (!redirect.startsWith('/') || !URL.canParse(redirect, here)) return null;
  const url = new URL(redirect, here);
  const { pathname } = url;
  const isOurs = pathname === '/' || pathname === '/web' || pathname.startsWith('/web/');
  return url.origin === here && isOurs ? `${pathname}${url.search}${url.hash}` : null;
}
