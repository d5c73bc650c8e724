import { request } from './request.ts';

/**
 * A form post of the specification that answers with a redirect: what happened, and secrets that are shown once, come with the
 * next page. Refusals throw here, so nothing on screen is lost.
 */
export async function postAndReload(url: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const next = `${location.pathname}${location.search}`;
  await request(url, { form: new URLSearchParams({ ...fields, next }), isRedirect: true });
  location.reload();
}
