import { memo, useEffect, useRef } from 'react';
import {
  type Arch,
  Button,
  fieldType,
  formatDecimal,
  formatInteger,
  formatRoundMoney,
  Icon,
  IconButton,
  type Money,
  moneyOf,
  moneyText,
  type SearchState,
  t,
  tn,
  type WorkspacePayload,
} from '../../door/index.ts';
import type { BoardColumn } from './board.ts';
import { CardList } from './card-list.tsx';
import { QuickCreate } from './quick-create.tsx';

export interface ColumnActions {
  fold(column: BoardColumn): void;
  create(column: BoardColumn): void;
  created(): void;
  seeEnd(column: BoardColumn): void;
}

interface ColumnProps {
  /** Without records, counts and totals. */
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly column: BoardColumn;
  readonly label: string;
  readonly look: string;
  /** 0 to 1: its share of the board's total. */
  readonly share: number;
  /** The total of its cards, rounded and exact. */
  readonly sum: string;
  readonly exact: string;
  readonly isFolded: boolean;
  readonly isTarget: boolean;
  readonly isCreating: boolean;
  readonly canCreate: boolean;
  /** The card of this column that is being dragged. */
  readonly liftedId: number | null;
  readonly hintId: string | undefined;
  readonly actions: ColumnActions;
}

export const Column = memo(function Column(props: ColumnProps) {
  const { workspace, search, column, label, isFolded, isTarget, liftedId, actions } = props;
  const count = formatInteger(column.count);
  if (isFolded) {
    return (
      <section
        className={`column shrink round-m least-0 reveals kanban-column is-folded ${isTarget ? 'is-target' : ''}`}
        data-column={column.key}
        data-drag-list={column.key}
        aria-label={label}
      >
        <button
          className="share framed row column below-4 pad-y-2 dim sunken round-m hovers"
          type="button"
          aria-expanded="false"
          onClick={() => actions.fold(column)}
          title={t('Expand {label}', { label })}
        >
          <Icon name="chevron-right" size={14} />
          <span className="dim digits kanban-count">{count}</span>
          <h2 className="mut normal">{label}</h2>
        </button>
      </section>
    );
  }
  return (
    <section
      className={`column shrink round-m least-0 reveals kanban-column ${isTarget ? 'is-target' : ''}`}
      data-column={column.key}
      data-drag-list={column.key}
      aria-label={label}
    >
      <ColumnHead {...props} />
      <div className="fill scroll-y kanban-cards">
        {props.isCreating && <QuickCreate {...{ workspace, search, column }} onClose={actions.created} />}
        <CardList
          {...{ workspace, search, liftedId }}
          ids={column.ids}
          total={column.count}
          hintId={props.hintId}
          label={t('Cards of {label}', { label })}
        />
        {column.ids.length === 0 && !props.isCreating && (
          <p className="dim centred round-m pad-4 dashed">{t('Nothing here')}</p>
        )}
        {column.ids.length < column.count && <ColumnEnd column={column} onSeen={actions.seeEnd} />}
      </div>
    </section>
  );
});

function ColumnHead({ column, label, look, share, sum, exact, canCreate, actions }: ColumnProps) {
  return (
    <header className="rigid stack level kanban-column-head">
      <h2 className="normal cut cut-wide strong" title={label}>
        {label}
      </h2>
      <span className="dim digits kanban-count">
        {formatInteger(column.count)}
        <span className="sr-only"> {tn('card', 'cards', column.count)}</span>
      </span>
      <IconButton
        icon="chevrons-left"
        size={14}
        className="revealed kanban-fold"
        label={t('Collapse {label}', { label })}
        aria-expanded="true"
        onClick={() => actions.fold(column)}
      />
      {sum !== '' && (
        <span className="mut nowrap kanban-sum num" title={exact}>
          {sum}
        </span>
      )}
      {canCreate && (
        <IconButton
          icon="plus"
          size={14}
          className="kanban-add"
          label={t('New card in {label}', { label })}
          onClick={() => actions.create(column)}
        />
      )}
      <span className="clip whole-row kanban-share" aria-hidden="true">
        <span className={`block dim ${look}`} style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
    </header>
  );
}

interface ColumnEndProps {
  readonly column: BoardColumn;
  readonly onSeen: (column: BoardColumn) => void;
}

/**
 * Reports when the end of the column is near. It checks after each change of the cards, because an observer does not
 * fire for an element that stays in place, and on each scroll, because failed pages are requested again.
 */
function ColumnEnd({ column, onSeen }: ColumnEndProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = ref.current as HTMLDivElement;
    const root = end.closest('.kanban-cards') as HTMLElement;
    let isNear = false;
    const see = () => {
      if (isNear) onSeen(column);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        isNear = entries.at(-1)?.isIntersecting === true;
        see();
      },
      { root, rootMargin: '1200px' },
    );
    observer.observe(end);
    root.addEventListener('scroll', see, { passive: true });
    return () => {
      observer.disconnect();
      root.removeEventListener('scroll', see);
    };
  }, [column, onSeen]);
  return (
    <div ref={ref} className="middle kanban-more">
      <Button kind="bare" onClick={() => onSeen(column)}>
        {tn('{n} more', '{n} more', column.count - column.ids.length)}
      </Button>
    </div>
  );
}

/** The rounded sum of a column; several currencies are shown side by side, with a dot while they load. */
export function columnSum(workspace: WorkspacePayload, name: string, value: number | string, money?: Money): string {
  const { arch } = workspace;
  if (!arch.money?.[name]) return sumText(arch, name, value, null);
  const totals = money?.[name] ?? moneyOf(workspace, name, value);
  return totals ? moneyText(totals, (amount, currency) => sumText(arch, name, amount, currency)) : '…';
}

/** The exact sum, for the tooltip. */
export function exactSum(workspace: WorkspacePayload, name: string, value: number | string, money?: Money): string {
  const { arch } = workspace;
  const label = arch.fields.find((one) => one.name === name)?.label ?? name;
  const totals = arch.money?.[name] && (money?.[name] ?? moneyOf(workspace, name, value));
  return `${label}: ${totals ? moneyText(totals) : columnSum(workspace, name, value, money)}`;
}

/** Rounded, without cents. */
function sumText(arch: Arch, name: string, value: number | string, currency: string | null): string {
  const field = arch.fields.find((one) => one.name === name);
  if (!fieldType(field?.type).isMoney) return formatDecimal(value);
  if (!currency) return formatDecimal(Math.round(Number(value)), 0);
  return formatRoundMoney(value, currency);
}
