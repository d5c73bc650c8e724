import { openPanel } from '../data/form/record-panels.ts';
import { trailFromHere } from '../shell/crumbs.ts';
import { navigate } from '../shell/router.ts';

/** Goes where an action says. Dialogs open over what is on screen; everything else is a place of its own. */
export async function followRedirect(href: string, title: string, onDone: () => void): Promise<void> {
  const url = new URL(href, location.href);
  if (url.pathname !== '/web' || url.searchParams.get('target') !== 'dialog') {
    return navigate(href, { trail: trailFromHere() });
  }
  url.searchParams.delete('target');
  openDialog(url.searchParams, title, onDone);
}

/** The address of a window action, with the records that it is opened from. */
export function actionQuery(
  { name, context }: { readonly name: string; readonly context?: unknown },
  ids: readonly number[],
): URLSearchParams {
  const query = new URLSearchParams({ action: name, active_ids: ids.join(',') });
  if (context) query.set('context', JSON.stringify(context));
  return query;
}

export function openDialog(query: URLSearchParams, title: string, onDone: () => void): void {
  if (!query.has('view_type')) query.set('view_type', 'form');
  openPanel({ kind: 'record', query: query.toString(), title, defaults: {}, isDialog: true, onSaved: onDone });
}
