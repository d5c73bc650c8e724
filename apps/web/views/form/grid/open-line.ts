import {
  type ArchField,
  type FieldNode,
  type Line,
  openPanel,
  parentValues,
  type Values,
  type WorkspacePayload,
} from '../../../door/index.ts';
import type { OpenForm } from '../use-form.ts';
import type { LineActions } from './use-lines.ts';

interface LineScope {
  readonly open: Pick<OpenForm, 'workspace' | 'form'>;
  readonly node: FieldNode;
  readonly field: ArchField;
  readonly actions: LineActions;
  readonly isReadonly: boolean;
}

/** Opens a line with all of its fields; null creates one. */
export function openLinePanel(scope: LineScope, line: Line | null): void {
  const { node, field, actions, open } = scope;
  openPanel({
    kind: 'line',
    title: node.label ?? field.label,
    node,
    workspace: lineWorkspace(scope, line),
    isReadonly: scope.isReadonly,
    parentValues: () => parentValues(open.form, open.workspace, field),
    onDone(values) {
      if (line) actions.take(line.key, difference(line.values, values));
      else actions.add(values, { isSettled: true });
    },
  });
}

function difference(before: Values, after: Values): Values {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
}

/** A workspace payload for one line, so that the form can show it like a record. */
function lineWorkspace({ open, node, field }: LineScope, line: Line | null): WorkspacePayload {
  const { workspace } = open;
  const { pager: _pager, paths: _paths, list: _list, ...arch } = workspace.arch;
  const isStored = line !== null && line.key > 0;
  return {
    ...workspace,
    model: field.relation ?? '',
    recordId: isStored ? line.key : 0,
    records: isStored ? [line.values] : [],
    defaults: {},
    arch: {
      ...arch,
      model: field.relation ?? '',
      label: node.label ?? field.label,
      title: node.label ?? field.label,
      fields: node.fields ?? [],
      header: { buttons: [] },
      rights: { create: true, copy: false, write: true, unlink: true },
      hasActive: false,
      hasChatter: false,
      ...(node.form ? { form: { ...node.form, edit: true, values: isStored || !line ? {} : line.values } } : {}),
    },
  };
}
