import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { readingKey, t } from '../../i18n/messages.ts';
import { navigate } from '../../navigation/router.ts';
import { refine, toHref } from '../../search/search-state.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Checkbox } from '../../ui/parts.tsx';
import type { Column, Columns } from './columns.ts';
import { useList } from './list-context.ts';

interface HeaderProps {
  readonly columns: Columns;
  readonly widths: readonly number[];
  readonly isAll: boolean;
  readonly isSome: boolean;
  readonly onSelectAll: (isOn: boolean) => void;
}

export function Header({ columns, widths, isAll, isSome, onSelectAll }: HeaderProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="list-check" aria-colindex={1}>
          <Checkbox label={t('Select all')} isChecked={isAll} isMixed={isSome && !isAll} onChange={onSelectAll} />
        </th>
        {columns.shown.map((column, at) => (
          <HeaderCell key={column.name} column={column} at={at} width={widths[at] ?? column.width} columns={columns} />
        ))}
        <th scope="col" className="list-end" aria-colindex={columns.shown.length + 2}>
          <span className="sr-only">{t('Actions')}</span>
          <ColumnMenu columns={columns} />
        </th>
      </tr>
    </thead>
  );
}

interface HeaderCellProps {
  readonly column: Column;
  readonly at: number;
  readonly width: number;
  readonly columns: Columns;
}

const step = 16;

/** Click or Enter sorts, with Shift as a further level; Alt+arrows resize, Alt+Shift+arrows move the column. */
function HeaderCell({ column, at, width, columns }: HeaderCellProps) {
  const { workspace, search } = useList();
  const { name, label, field, align } = column;
  const sort = sortOf(workspace.listSort, name);
  const toggle = (isFurther: boolean) =>
    void navigate(toHref(refine(search, { sort: nextSort(workspace.listSort, name, isFurther) })), {
      isReplace: true,
      keepTrail: true,
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[readingKey(event.key)];
    if (!way || !event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) columns.move(name, way);
    else columns.resize(name, width + way * step);
  };
  return (
    <th
      scope="col"
      aria-colindex={at + 2}
      aria-sort={sort === null ? undefined : sort === 'up' ? 'ascending' : 'descending'}
      className={`${align === 'end' ? 'num' : ''} ${sort ? 'is-sorted' : ''}`}
    >
      {field.sortable ? (
        <button
          type="button"
          className="list-sort"
          title={field.help ?? label}
          onClick={(event) => toggle(event.shiftKey)}
          onKeyDown={onKeyDown}
        >
          <span>{label}</span>
          {sort && <Icon name={sort === 'up' ? 'arrow-up' : 'arrow-down'} size={12} />}
        </button>
      ) : (
        <span className="list-sort">{label}</span>
      )}
      <ResizeGrip name={name} width={width} onResize={(next) => columns.resize(name, next)} />
    </th>
  );
}

/** Resizes by mouse. The keyboard uses Alt and the arrows on the header. */
function ResizeGrip({ name, width, onResize }: { name: string; width: number; onResize: (width: number) => void }) {
  const start = useRef({ x: 0, width: 0 });
  const onPointerMove = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const way = document.documentElement.dir === 'rtl' ? -1 : 1;
    onResize(Math.max(60, start.current.width + way * (event.clientX - start.current.x)));
  };
  return (
    <span
      className="list-grip"
      data-column={name}
      aria-hidden="true"
      onPointerDown={(event) => {
        start.current = { x: event.clientX, width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
    />
  );
}

/** Which columns are shown; kept for the person. */
function ColumnMenu({ columns }: { readonly columns: Columns }) {
  const optional = columns.all.filter(({ canHide, isHidden }) => canHide || isHidden);
  const entries: readonly MenuEntry[] = [
    ...optional.map(({ name, label, isHidden }, index) => ({
      key: name,
      label,
      isChecked: !isHidden,
      isSticky: true,
      ...(index === 0 ? { section: t('Columns') } : {}),
      run: () => columns.toggle(name),
    })),
    { key: 'reset', label: t('As it was'), icon: 'rotate-ccw', section: '', run: columns.reset },
  ];
  return (
    <Menu
      label={t('Columns')}
      align="end"
      entries={entries}
      trigger={(props) => <IconButton icon="sliders-horizontal" size={14} label={t('Columns')} {...props} />}
    />
  );
}

/** How a column stands in an order such as `-date, name`. */
export function sortOf(order: string, name: string): 'up' | 'down' | null {
  const terms = termsOf(order);
  if (terms.includes(name)) return 'up';
  return terms.includes(`-${name}`) ? 'down' : null;
}

/** Up, then down, then no longer. A further level keeps those before it. */
export function nextSort(order: string, name: string, isFurther: boolean): string {
  const others = isFurther ? termsOf(order).filter((term) => term !== name && term !== `-${name}`) : [];
  const now = sortOf(order, name);
  const next = now === null ? [name] : now === 'up' ? [`-${name}`] : [];
  return [...others, ...next].join(', ');
}

function termsOf(order: string): readonly string[] {
  return order
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '');
}
