const here = 'http://kontor.invalid';

/** Where to go after a post: `/` or a path under `/web` of this server; anything else falls back. */
export function nextPath(given: string, fallback: string): string {
  if (given === '' || !given.startsWith('/')) return fallback;
  let url: URL;
  try {
    url = new URL(given, here);
  } catch {
    return fallback;
  }
  if (url.origin !== here) return fallback;
  const isOurs = url.pathname === '/' || url.pathname === '/web' || url.pathname.startsWith('/web/');
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : fallback;
}
