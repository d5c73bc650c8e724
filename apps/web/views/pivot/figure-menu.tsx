import { useRef } from 'react';
import {
  fieldName,
  formatFigure,
  formatShare,
  groupChoices,
  isAdditive,
  type MenuEntry,
  MenuList,
  mark,
  openRecords,
  Popover,
  t,
  tn,
} from '../../door/index.ts';
import { shareAt, valueAt } from './figure-text.ts';
import type { GridProps, Target } from './grid-props.ts';
import type { Share } from './state.ts';
import { copyFigure, domainAt, filterTo } from './target.ts';

interface FigureMenuProps extends GridProps {
  readonly place: Target;
  readonly anchorId: string;
  onDone(): void;
}

const shares: readonly (readonly [Exclude<Share, 'value'>, string])[] = [
  ['row', mark('Percent of row')],
  ['column', mark('Percent of column')],
  ['all', mark('Percent of all')],
];

/** Actions on a figure: open its records, filter, show as a share, sort. */
export function FigureMenu(props: FigureMenuProps) {
  const { analysis, shown, place, anchorId, onDone } = props;
  const anchor = useRef(document.getElementById(anchorId));
  const { arch } = analysis.workspace;
  const value = formatFigure(
    arch,
    place.measure,
    valueAt({ table: shown.table, row: place.row, column: place.column }, place.measure),
    place.measure.code,
  );
  const isFigure = place.kind === 'figure';
  return (
    <Popover anchor={anchor} onClose={onDone} className="least-wide-260">
      <div className="line apart gap-4 small mut strong pivot-menu-head">
        <span>{place.label}</span>
        {isFigure && <b className="digits ink">{value}</b>}
      </div>
      <MenuList entries={isFigure ? figureEntries(props) : nameEntries(props)} label={place.label} onDone={onDone} />
    </Popover>
  );
}

function figureEntries(props: FigureMenuProps): readonly MenuEntry[] {
  const { place } = props;
  return [
    ...recordEntries(props),
    ...sortEntries(props),
    ...shareEntries(props),
    { key: 'copy', label: t('Copy'), icon: 'copy', hint: 'Ctrl C', section: '', run: () => copyFigure(props, place) },
  ];
}

function recordEntries(props: FigureMenuProps): readonly MenuEntry[] {
  const { analysis, shown, place } = props;
  const found = shown.table.figure(place.row, place.column);
  const domain = domainAt(props, place);
  if (!found || !domain) return [];
  return [
    {
      key: 'open',
      label: tn('Open {n} record', 'Open {n} records', found.__count),
      icon: 'list',
      hint: 'Enter',
      run: () => openRecords(analysis, domain),
    },
    {
      key: 'filter',
      label: t('Filter by this value'),
      icon: 'list-filter',
      hint: 'F',
      run: () => filterTo(analysis, domain),
    },
  ];
}

function sortEntries({ shown, place, order, setOrder }: FigureMenuProps): readonly MenuEntry[] {
  const { row, column, measure } = place;
  const isSorted = (axis: 'rows' | 'columns', path: string) =>
    order[axis]?.measure === measure.name && order[axis]?.path === path;
  const by = (path: string) => ({ measure: measure.name, path, isDescending: true });
  const rows: MenuEntry = {
    key: 'rows',
    label: t('Sort rows by this column'),
    isChecked: isSorted('rows', column.key),
    section: t('Sort'),
    run: () => setOrder({ ...order, rows: by(column.key) }),
  };
  const columns: MenuEntry = {
    key: 'columns',
    label: t('Sort columns by this row'),
    isChecked: isSorted('columns', row.key),
    run: () => setOrder({ ...order, columns: by(row.key) }),
  };
  const unsorted: MenuEntry = {
    key: 'unsorted',
    label: t('Group order'),
    icon: 'undo-2',
    run: () => setOrder({ rows: null, columns: null }),
  };
  return [
    rows,
    ...(shown.across.columns.length > 1 ? [columns] : []),
    ...(order.rows || order.columns ? [unsorted] : []),
  ];
}

function shareEntries({ analysis, shown, place, share, setShare }: FigureMenuProps): readonly MenuEntry[] {
  const { row, column, measure } = place;
  if (!isAdditive(measure)) return [];
  const figure = { table: shown.table, row, column };
  const value = formatFigure(analysis.workspace.arch, measure, valueAt(figure, measure), measure.code);
  const amount: MenuEntry = {
    key: 'value',
    label: t('Amount'),
    isChecked: share === 'value',
    hint: value,
    section: t('Show values as'),
    run: () => setShare('value'),
  };
  const asShare = shares.map(([key, label]): MenuEntry => {
    const part = shareAt(figure, measure, key);
    return {
      key,
      label: t(label),
      isChecked: share === key,
      ...(part === null ? {} : { hint: formatShare(part) }),
      run: () => setShare(key),
    };
  });
  return [amount, ...asShare];
}

/** A group on the innermost level can be expanded by any other field, which adds a level. */
function nameEntries({ analysis, place }: FigureMenuProps): readonly MenuEntry[] {
  const { groupBy, columns, change, workspace } = analysis;
  const isRow = place.kind === 'row';
  const node = isRow ? place.row : place.column;
  const taken = new Set([...groupBy, ...columns].map(fieldName));
  const more = groupChoices(workspace)
    .filter(({ key }) => !taken.has(fieldName(key)))
    .slice(0, 12)
    .map(({ key, label, isDate }, at): MenuEntry => {
      const group = isDate ? `${key}:month` : key;
      return {
        key,
        label,
        ...(at === 0 ? { section: t('Open by') } : {}),
        run: () => change(isRow ? { groupBy: [...groupBy, group] } : { columns: [...columns, group] }),
      };
    });
  const domain = node.row?.__domain;
  const open: MenuEntry[] = domain
    ? [
        {
          key: 'open',
          label: tn('Open {n} record', 'Open {n} records', node.row?.__count ?? 0),
          icon: 'list',
          hint: 'Enter',
          run: () => openRecords(analysis, domain),
        },
        { key: 'filter', label: t('Filter by this group'), icon: 'list-filter', run: () => filterTo(analysis, domain) },
      ]
    : [];
  return [...open, ...more];
}
