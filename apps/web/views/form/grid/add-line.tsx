import type { ArchField } from '@kontor/protocol';
import { useId } from 'react';
import { showError } from '../../../data/changes.ts';
import { read } from '../../../data/rpc.ts';
import { Many2oneEdit } from '../../../fields/many2one/edit.tsx';
import { t } from '../../../i18n/messages.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useOpenForm } from '../form-context.ts';
import { useGrid } from './grid-context.ts';
import type { GridProps } from './grid-props.ts';
import { openLinePanel } from './open-line.ts';

interface AddLineProps extends GridProps {
  readonly onAdded: (row: number) => void;
}

/** A new line for what the record owns; a search for what it only points at. */
export function AddLine(props: AddLineProps) {
  const { field, node, onAdded } = props;
  const open = useOpenForm();
  const { actions, isEditable, canCreate } = useGrid();
  if (field.type === 'many2many') return <LinkLine {...props} />;
  const add = () => {
    if (!isEditable) return openLinePanel({ open, node, field, actions, isReadonly: false }, null);
    const key = actions.add();
    onAdded(actions.lines().findIndex((line) => line.key === key));
  };
  if (!canCreate) return null;
  return (
    <button type="button" className="grid-add" onClick={add}>
      <Icon name="plus" size={14} />
      {t('Add a line')}
      {isEditable && <span className="grid-hint">{t('or paste rows from a spreadsheet')}</span>}
    </button>
  );
}

function LinkLine({ field, node, label }: AddLineProps) {
  const id = useId();
  const { actions } = useGrid();
  const { workspace } = useOpenForm();
  const chooser: ArchField = { ...field, type: 'many2one' };
  const shown = actions.lines().map((line) => line.key);
  const link = (chosen: unknown) => {
    if (typeof chosen !== 'number' || !field.relation) return;
    read(field.relation, [chosen], linePaths(workspace.arch.paths, field.name)).then(([record]) => {
      if (record) actions.link(record);
    }, showError);
  };
  return (
    <div className="grid-link">
      <Many2oneEdit
        id={id}
        label={t('Add to {label}', { label })}
        field={chooser}
        node={{ name: node.name, placeholder: t('Add …') }}
        model={workspace.model}
        value={null}
        record={{ id: 0 }}
        place="grid"
        isRequired={false}
        isInvalid={false}
        domain={[...(node.domain ?? field.domain ?? []), ['id', 'not in', shown]]}
        onChange={link}
      />
    </div>
  );
}

function linePaths(paths: readonly unknown[] | undefined, name: string): readonly unknown[] {
  const nested = paths?.find((path) => typeof path === 'object' && path !== null && name in path);
  return (nested as Record<string, readonly unknown[]> | undefined)?.[name] ?? ['display_name'];
}
