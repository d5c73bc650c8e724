import { type Arch, fieldType, type WorkspacePayload } from '@kontor/protocol';
import { useEffect, useRef, useState } from 'react';
import { locale, t, tn } from '../../i18n/messages.ts';
import { formatDecimal, formatInteger } from '../../i18n/numbers.ts';
import type { SearchState } from '../../search/search-state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Money, moneyOf, moneyText } from '../money.ts';
import type { BoardColumn } from './board.ts';
import { Card } from './card.tsx';
import { QuickCreate } from './quick-create.tsx';

interface ColumnProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly column: BoardColumn;
  readonly label: string;
  readonly look: string;
  /** 0 to 1: how much of the board's total lies here. */
  readonly share: number;
  /** What the column holds of each currency, where there are several. */
  readonly money: Money | undefined;
  readonly isFolded: boolean;
  readonly isTarget: boolean;
  readonly isCreating: boolean;
  readonly liftedId: number | null;
  readonly hintId: string | undefined;
  readonly onFold: () => void;
  readonly onCreate: (() => void) | null;
  readonly onCreated: () => void;
  readonly onMore: () => Promise<void>;
}

export function Column(props: ColumnProps) {
  const { workspace, search, column, label, isFolded, isTarget, liftedId } = props;
  const count = formatInteger(column.count);
  if (isFolded) {
    return (
      <section
        className={`kanban-column is-folded ${isTarget ? 'is-target' : ''}`}
        data-column={column.key}
        data-drag-list={column.key}
        aria-label={label}
      >
        <button type="button" aria-expanded="false" onClick={props.onFold} title={t('Unfold {label}', { label })}>
          <Icon name="chevron-right" size={14} />
          <span className="kanban-count">{count}</span>
          <h2>{label}</h2>
        </button>
      </section>
    );
  }
  return (
    <section
      className={`kanban-column ${isTarget ? 'is-target' : ''}`}
      data-column={column.key}
      data-drag-list={column.key}
      aria-label={label}
    >
      <ColumnHead {...props} />
      <div className="kanban-cards">
        {props.isCreating && <QuickCreate {...{ workspace, search, column }} onClose={props.onCreated} />}
        <ul aria-label={t('Cards of {label}', { label })}>
          {column.ids.map((id) => (
            <li key={id}>
              <Card {...{ workspace, search, id }} isLifted={id === liftedId} hintId={props.hintId} />
            </li>
          ))}
        </ul>
        {column.ids.length === 0 && !props.isCreating && <p className="kanban-none">{t('Nothing here')}</p>}
        {column.ids.length < column.count && <More left={column.count - column.ids.length} onMore={props.onMore} />}
      </div>
    </section>
  );
}

function ColumnHead(props: ColumnProps) {
  const { workspace, column, label, look, share, money } = props;
  const { arch } = workspace;
  const [sum] = arch.kanban?.sums ?? [];
  const value = sum === undefined ? undefined : column.sums[sum];
  return (
    <header className="kanban-column-head">
      <h2 title={label}>{label}</h2>
      <span className="kanban-count">
        {formatInteger(column.count)}
        <span className="sr-only"> {tn('card', 'cards', column.count)}</span>
      </span>
      <IconButton
        icon="chevrons-left"
        size={14}
        className="kanban-fold"
        label={t('Fold {label}', { label })}
        aria-expanded="true"
        onClick={props.onFold}
      />
      {sum !== undefined && value !== undefined && (
        <span className="kanban-sum num" title={exactSum(workspace, sum, value, money)}>
          {columnSum(workspace, sum, value, money)}
        </span>
      )}
      {props.onCreate && (
        <IconButton
          icon="plus"
          size={14}
          className="kanban-add"
          label={t('New card in {label}', { label })}
          onClick={props.onCreate}
        />
      )}
      <span className="kanban-share" aria-hidden="true">
        <span className={`kanban-share-${look}`} style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
    </header>
  );
}

/** Fetches the next cards when the end of the column comes near, or by hand. */
function More({ left, onMore }: { readonly left: number; readonly onMore: () => Promise<void> }) {
  const ref = useRef<HTMLDivElement>(null);
  const [isLoading, setLoading] = useState(false);
  const load = useRef(() => {});
  load.current = () => {
    if (isLoading) return;
    setLoading(true);
    void onMore().finally(() => setLoading(false));
  };
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), {
      rootMargin: '400px',
    });
    observer.observe(ref.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={ref} className="kanban-more">
      <Button kind="bare" onClick={() => load.current()} aria-busy={isLoading}>
        {tn('{n} more', '{n} more', left)}
      </Button>
    </div>
  );
}

/** The sum of a column, short; money of several currencies as one sum for each, and a dot while they are asked for. */
export function columnSum(workspace: WorkspacePayload, name: string, value: number | string, money?: Money): string {
  const { arch } = workspace;
  if (!arch.money?.[name]) return sumText(arch, name, value, null);
  const totals = money?.[name] ?? moneyOf(workspace, name, value);
  return totals ? moneyText(totals, (amount, currency) => sumText(arch, name, amount, currency)) : '…';
}

/** The same to the cent, for the tip. */
export function exactSum(workspace: WorkspacePayload, name: string, value: number | string, money?: Money): string {
  const { arch } = workspace;
  const label = arch.fields.find((one) => one.name === name)?.label ?? name;
  const totals = arch.money?.[name] && (money?.[name] ?? moneyOf(workspace, name, value));
  return `${label}: ${totals ? moneyText(totals) : columnSum(workspace, name, value, money)}`;
}

/** Short, without cents. */
function sumText(arch: Arch, name: string, value: number | string, currency: string | null): string {
  const field = arch.fields.find((one) => one.name === name);
  if (!fieldType(field?.type).isMoney) return formatDecimal(value);
  if (!currency) return formatDecimal(Math.round(Number(value)), 0);
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  }).format(Number(value));
}
