import type { ButtonNode } from '@kontor/protocol';
import { sendChange, showError } from '../../data/changes.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { trailFromHere } from '../../shell/crumbs.ts';
import { navigate } from '../../shell/router.ts';

/** Runs an object action on the rows that are chosen. */
export function runOnSelection(model: string, ids: readonly number[], button: ButtonNode): void {
  const args = [0, button.name, { active_ids: ids.join(',') }];
  sendChange<true | { redirect: string }>({ model, method: 'call', args }).then(({ result }) => {
    expireModel(model);
    if (result !== true) void navigate(result.redirect, { trail: trailFromHere() });
  }, showError);
}
