import { type Arch, fieldType, type WorkspacePayload } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { holds } from '../conditions.ts';
import { searchRead, type Values } from '../rpc.ts';
import { fieldNodes, visibleFieldNodes } from './field-nodes.ts';
import { type FormState, shownRecord, valueIn } from './form-state.ts';
import { toCommands } from './line-commands.ts';
import { hasChanges, isLinesEdit, isToMany, type LinesEdit, lineChanges, seenValue } from './lines.ts';

/** The values for `create` or `write`: only changed ones, and none that only the server may set. */
export function changedValues(state: FormState, arch: Arch): Values {
  const byName = new Map(arch.fields.map((field) => [field.name, field]));
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(state.edits)) {
    const field = byName.get(name);
    if (!field || field.readonly) continue;
    if (!isLinesEdit(value)) values[name] = value;
    else if (hasChanges(value)) values[name] = lineCommands(state, arch, name, value);
  }
  return values;
}

/** The number of fields and lines that would be saved. */
export function changeCount({ edits }: Pick<FormState, 'edits'>, { fields }: Pick<Arch, 'fields'>): number {
  const counts = fields.map(({ name, readonly }) => {
    const edit = edits[name];
    if (readonly || !Object.hasOwn(edits, name)) return 0;
    return isLinesEdit(edit) ? lineChanges(edit) : 1;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

export function lineCommands(state: FormState, arch: Arch, name: string, edit: LinesEdit) {
  const node = fieldNodes(arch).find((one) => one.name === name);
  const isOwned = fieldType(arch.fields.find((field) => field.name === name)?.type).isLines;
  return toCommands(edit, state.stored[name], { isOwned, fields: node?.fields });
}

/** The values the user saw in the changed fields; for lists, the ids. */
export function seenValues({ stored }: FormState, { fields }: Pick<Arch, 'fields'>, names: readonly string[]): Values {
  const lists = new Set(fields.filter(isToMany).map((field) => field.name));
  return Object.fromEntries(
    names.map((name) => [name, lists.has(name) ? seenValue(stored[name]) : (stored[name] ?? null)]),
  );
}

/** Fields that are required by the field or the view, visible, editable and empty. */
export function missingFields(state: FormState, arch: Arch): Record<string, readonly string[]> {
  const record = shownRecord(state);
  const byName = new Map(arch.fields.map((field) => [field.name, field]));
  const missing: Record<string, readonly string[]> = {};
  for (const node of visibleFieldNodes(arch, record)) {
    const field = byName.get(node.name);
    if (!field || field.readonly || holds(node.readonly, record)) continue;
    // The server sets the first stage of a new record.
    if (state.id === 0 && node === arch.header.status) continue;
    const label = node.label ?? field.label;
    const isRequired = field.required || holds(node.required, record);
    if (isRequired && isEmpty(valueIn(state, node.name))) missing[node.name] = [t('{label} is required.', { label })];
    const inLines = missingInLines(state, node.name, node);
    if (inLines) missing[node.name] = [inLines];
  }
  return missing;
}

/** The first new or changed line with a missing value, in words. */
function missingInLines(
  state: FormState,
  name: string,
  { list, fields }: Pick<ReturnType<typeof fieldNodes>[number], 'list' | 'fields'>,
): string | null {
  const edit = state.edits[name];
  if (!list || !fields || !isLinesEdit(edit)) return null;
  const lines = valueIn(state, name) as readonly (Values & { readonly id: number })[];
  for (const [index, line] of lines.entries()) {
    if (line.id > 0 && !edit.changed[line.id]) continue;
    for (const column of list.columns) {
      const field = fields.find((one) => one.name === column.name);
      if (!field || field.readonly || holds(column.readonly, line) || holds(column.invisible, line)) continue;
      if ((field.required || holds(column.required, line)) && isEmpty(line[field.name])) {
        return t('Line {n}: {label} is required.', { n: index + 1, label: column.label ?? field.label });
      }
    }
  }
  return null;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Values that an action or an onchange set in fields the view does not show, as far as they can be written. */
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
