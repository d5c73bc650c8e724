import type { ArchField, OnchangeAnswer, WorkspacePayload } from '@kontor/protocol';
import { rpc, type Values } from '../data/rpc.ts';
import { whileBusy } from '../state/idle.ts';

/** The other values that an onchange sets, as far as they can be written from here. */
export async function askFollowUps(
  workspace: WorkspacePayload,
  { name, onchange }: ArchField,
  { id, value }: { readonly id: number; readonly value: unknown },
): Promise<Values> {
  if (!onchange) return {};
  const { model, arch } = workspace;
  const args = [{ [name]: value }, [name]];
  const [answer, { showWarning }, { unseenValues }] = await Promise.all([
    rpc<OnchangeAnswer>({ model, method: 'onchange', args, kwargs: { id } }),
    whileBusy(import('../data/form/onchange.ts')),
    whileBusy(import('../data/form/changed-values.ts')),
  ]);
  showWarning(answer);
  const known = new Map(arch.fields.map((one) => [one.name, one]));
  const writable = Object.entries(answer.value).filter(([each]) => known.get(each)?.readonly === false);
  return { ...(await unseenValues({ model, edits: answer.value }, workspace)), ...Object.fromEntries(writable) };
}
