import type { Arch } from '@kontor/protocol';
import type { ViewRequest } from './view-request.ts';

/**
 * Where a record stands in the list it was opened from. Looked for on the page that the query names and the pages beside it,
 * so that it costs what a list costs, however long the list is; none when it is not there.
 */
export async function formPager(
  { env, model, search, page }: ViewRequest,
  id: number,
): Promise<NonNullable<Arch['pager']> | null> {
  const records = env.model(model.name);
  const first = Math.max(0, page.offset - page.limit);
  const order = search.order === undefined ? {} : { order: search.order };
  const [ids, total] = await Promise.all([
    records.search(search.domain, { offset: first, limit: 3 * page.limit, ...order }),
    records.count(search.domain),
  ]);
  const at = ids.indexOf(id);
  if (at < 0) return null;
  return { position: first + at + 1, total, previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null };
}
