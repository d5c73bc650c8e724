/** In development a page loads itself again when the client was built anew. */
export function reloadOnBuild(): void {
  const manifest = new URL(/* @vite-ignore */ '../manifest.json', import.meta.url);
  let known: string | null = null;
  setInterval(async () => {
    const answer = await fetch(manifest, { method: 'GET', cache: 'no-cache' }).catch(() => null);
    const tag = answer?.ok ? answer.headers.get('etag') : null;
    if (tag !== null && known !== null && tag !== known) location.reload();
    known = tag ?? known;
  }, 1000);
}
