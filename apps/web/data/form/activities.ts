import { bootstrap } from '../../state/bootstrap.ts';
import { sendChange } from '../changes.ts';
import { request } from '../request.ts';
import { rpc, searchRead, type Values } from '../rpc.ts';

export interface Activity {
  readonly id: number;
  readonly name: string;
  /** Sanitised HTML. */
  readonly note: string;
  readonly dueDate: string;
  readonly user: { readonly id: number; readonly name: string };
  readonly type: { readonly id: number; readonly name: string; readonly icon: string | null };
  /** Whether the person may change it and say that it is done. */
  readonly isOwn: boolean;
}

export interface ActivityType {
  readonly id: number;
  readonly name: string;
  readonly icon: string;
}

const model = 'mail.activity';

export async function loadActivities(ofModel: string, id: number): Promise<readonly Activity[]> {
  const query = new URLSearchParams({ model: ofModel, id: String(id) });
  const { body } = await request<{ activities: readonly Activity[] }>(`${bootstrap().wcApiBase}/activities?${query}`);
  return body.activities;
}

export async function loadActivityTypes(): Promise<readonly ActivityType[]> {
  const rows = await searchRead('mail.activity.type', [['active', '=', true]], ['name', 'icon']);
  return rows.map(({ id, name, icon }) => ({ id, name: String(name), icon: String(icon ?? 'check') }));
}

/** What choosing a type brings along: a name where there is none yet, and a due date. */
export async function typeChosen(values: Values): Promise<Values> {
  const { value } = await rpc<{ value: Values }>({ model, method: 'onchange', args: [values, 'type_id'] });
  return value;
}

export async function planActivity(values: Values): Promise<void> {
  await sendChange({ model, method: 'create', args: [values] });
}

export async function changeActivity(id: number, values: Values): Promise<void> {
  await sendChange({ model, method: 'write', args: [[id], values] });
}

export async function finishActivity(id: number, feedback: string): Promise<void> {
  await sendChange({ model, method: 'call', args: [id, 'action_done', feedback === '' ? {} : { feedback }] });
}

/** The change set that brings it back. */
export async function cancelActivity(id: number): Promise<number> {
  return (await sendChange({ model, method: 'unlink', args: [[id]] })).changeSet;
}
