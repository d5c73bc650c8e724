import { IconButton, Menu, type MenuEntry, t } from '../../door/index.ts';
import type { Columns } from './columns.ts';

interface ColumnMenuProps {
  readonly columns: Columns;
  /** Offers to reset all choices, including order and widths. */
  readonly canReset?: boolean;
  /** Adds a field to the model, for everybody. */
  readonly onAdd?: (() => void) | undefined;
}

/** Chooses the visible columns; stored per user. */
export function ColumnMenu({ columns, canReset = false, onAdd }: ColumnMenuProps) {
  const optional = columns.all.filter(({ canHide, isHidden }) => canHide || isHidden);
  const entries: MenuEntry[] = optional.map(({ name, label, isHidden }, index) => ({
    key: name,
    label,
    isChecked: !isHidden,
    isSticky: true,
    ...(canReset && index === 0 ? { section: t('Columns') } : {}),
    run: () => columns.toggle(name),
  }));
  if (canReset) {
    entries.push({ key: 'reset', label: t('Reset columns'), icon: 'rotate-ccw', section: '', run: columns.reset });
  }
  if (onAdd) entries.push({ key: 'add', label: t('Add a field …'), icon: 'plus', section: '', run: onAdd });
  return (
    <Menu
      label={t('Columns')}
      align="end"
      entries={entries}
      trigger={(props) => <IconButton icon="sliders-horizontal" size={14} label={t('Columns')} {...props} />}
    />
  );
}
