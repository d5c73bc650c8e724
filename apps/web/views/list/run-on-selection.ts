import type { ButtonNode } from '@kontor/protocol';
import { sendChange, showError } from '../../data/changes.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { actionQuery, followRedirect, openDialog } from '../follow-redirect.ts';

/** Runs an object action on the rows that are chosen, or opens a window action with them. */
export function runOnSelection(model: string, ids: readonly number[], button: ButtonNode): void {
  const refresh = () => expireModel(model);
  if (button.type === 'action') {
    const query = actionQuery(button, ids);
    if (button.target === 'dialog') openDialog(query, button.label, refresh);
    else void followRedirect(`/web?${query}`, button.label, refresh);
    return;
  }
  const args = [0, button.name, { active_ids: ids.join(',') }];
  sendChange<true | { redirect: string }>({ model, method: 'call', args }).then(({ result }) => {
    refresh();
    if (result !== true) void followRedirect(result.redirect, button.label, refresh);
  }, showError);
}
