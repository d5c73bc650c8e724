import type { ButtonNode } from '@kontor/protocol';
import { isDirty } from '../../data/form/form-state.ts';
import { rpc } from '../../data/rpc.ts';
import { loadWorkspace } from '../../data/workspace.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { trailFromHere } from '../../shell/crumbs.ts';
import { currentPlace, navigate } from '../../shell/router.ts';
import type { OpenForm } from './use-form.ts';

/** Object actions run on the saved record; window actions open with it as their context. */
export async function runButton(open: OpenForm, button: ButtonNode): Promise<void> {
  const { form, workspace } = open;
  const isNew = form.get().id === 0;
  if ((isNew || isDirty(form.get(), workspace.defaults)) && !(await open.save())) return;
  const { id, model } = form.get();
  if (button.type === 'action') return openAction(button, id);
  const answer = await rpc<true | { redirect: string }>({ model, method: 'call', args: [id, button.name] });
  expireModel(model);
  if (answer !== true) return follow(answer.redirect);
  await loadWorkspace(currentPlace().query);
}

function openAction(button: ButtonNode, id: number): Promise<void> {
  const query = new URLSearchParams({ action: button.name, active_id: String(id) });
  if (button.context) query.set('context', JSON.stringify(button.context));
  return navigate(`/web?${query}`, { trail: trailFromHere() });
}

/** Downloads and pages of the server are the browser's. */
function follow(href: string): Promise<void> {
  return navigate(href, { trail: trailFromHere() });
}
