import type { ButtonNode } from '@kontor/protocol';
import { runCommand } from '../../commands/command.ts';
import { sendChange } from '../../data/changes.ts';
import { isDirty } from '../../data/form/form-state.ts';
import { openPanel } from '../../data/form/record-panels.ts';
import { trailFromHere } from '../../shell/crumbs.ts';
import { navigate } from '../../shell/router.ts';
import type { OpenForm } from './use-form.ts';

/** Object actions run on the saved record; window actions open with it as their context. */
export async function runButton(open: OpenForm, button: ButtonNode, save: () => Promise<boolean>): Promise<void> {
  const { form } = open;
  if ((form.get().id === 0 || isDirty(form.get())) && !(await save())) return;
  const { id, model } = form.get();
  if (button.type === 'client') return runCommand(button.name, { model, id, name: nameOf(open) });
  if (button.type === 'action') return follow(open, actionHref(button, id), button.label);
  const call = { model, method: 'call', args: [id, button.name] };
  const { result } = await sendChange<true | { redirect: string }>(call);
  if (result !== true) await follow(open, result.redirect, button.label);
  await open.reload().catch(() => {});
}

function nameOf({ form }: OpenForm): string {
  const { name, display_name: shown } = form.get().stored;
  return String(name ?? shown ?? '');
}

function actionHref(button: ButtonNode, id: number): string {
  const query = new URLSearchParams({ action: button.name, active_id: String(id) });
  if (button.context) query.set('context', JSON.stringify(button.context));
  return `/web?${query}`;
}

/** Dialogs open over the form; everything else is a place of its own. */
async function follow(open: OpenForm, href: string, title: string): Promise<void> {
  const url = new URL(href, location.href);
  if (url.pathname !== '/web' || url.searchParams.get('target') !== 'dialog') {
    return navigate(href, { trail: trailFromHere() });
  }
  const query = url.searchParams.toString();
  openPanel({ kind: 'record', query, title, defaults: {}, onSaved: () => void open.reload().catch(() => {}) });
}
