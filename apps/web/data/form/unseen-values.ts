import type { WorkspacePayload } from '@kontor/protocol';
import { searchRead, type Values } from '../rpc.ts';
import type { FormState } from './form-state.ts';
import { isLinesEdit } from './lines.ts';

/** Values that an action or an onchange set in fields that the view does not show: those of them that may be written. */
export async function unseenValues(
  { model, edits }: Pick<FormState, 'model' | 'edits'>,
  { arch }: WorkspacePayload,
): Promise<Values> {
  const shown = new Set(arch.fields.map((field) => field.name));
  const unseen = Object.entries(edits).filter(
    ([name, value]) => !shown.has(name) && !name.includes('.') && name !== 'id' && !isLinesEdit(value),
  );
  if (unseen.length === 0) return {};
  const names = unseen.map(([name]) => name);
  const found = await searchRead(
    'sys.field',
    [
      ['model', '=', model],
      ['name', 'in', names],
      ['readonly', '=', false],
      ['computed', '=', false],
    ],
    ['name'],
  );
  const writable = new Set(found.map((one) => String(one.name)));
  return Object.fromEntries(unseen.filter(([name]) => writable.has(name)));
}
