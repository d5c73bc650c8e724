import { openPanel } from '../data/form/record-panels.ts';
import { currentWorkspace } from '../data/workspace.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { navigate } from '../navigation/router.ts';

/**
 * Follows the redirect of an action: files open in a new tab, dialogs over the screen, and other URLs are navigated to.
 * The record on screen is not opened again.
 */
export async function followRedirect(href: string, title: string, onDone: () => void): Promise<void> {
  const url = new URL(href, location.href);
  // A file opens in a new tab, or in this one if the browser blocks that.
  if (/\.\w{2,4}$/.test(url.pathname) && window.open(url, '_blank')) return;
  if (url.pathname !== '/web' || url.searchParams.get('target') !== 'dialog') {
    return isHere(url) ? undefined : navigate(href, { trail: trailFromHere() });
  }
  url.searchParams.delete('target');
  openDialog(url.searchParams, title, onDone);
}

/** The query of a window action, with the records that it is opened from. */
export function actionQuery(
  { name, context }: { readonly name: string; readonly context?: unknown },
  ids: readonly number[],
): URLSearchParams {
  const query = new URLSearchParams({ action: name, active_ids: ids.join(',') });
  if (context) query.set('context', JSON.stringify(context));
  return query;
}

/** Opens an action as a dialog over the view. */
export function openDialog(query: URLSearchParams, title: string, onDone: () => void): void {
  if (!query.has('view_type')) query.set('view_type', 'form');
  openPanel({ kind: 'record', query: query.toString(), title, defaults: {}, isDialog: true, onSaved: onDone });
}

function isHere({ pathname, searchParams: query }: URL): boolean {
  const shown = currentWorkspace.get();
  if (pathname !== '/web' || query.get('view_type') !== 'form' || shown?.viewType !== 'form') return false;
  return query.get('model') === shown.model && Number(query.get('id')) === shown.recordId;
}
