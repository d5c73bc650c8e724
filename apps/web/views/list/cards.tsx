import { Fragment, memo, useEffect, useRef, useState } from 'react';
import { Checkbox, fieldType, formatInteger, Icon, recordHref, Skeleton, t, useReadRecord } from '../../door/index.ts';
import type { Column } from '../table/columns.ts';
import { isHiddenCell } from './can-edit.ts';
import { groupName } from './group-rows.ts';
import { useRows } from './list-context.ts';
import type { Row, Rows } from './rows.ts';
import type { Selection } from './use-selection.ts';
import './cards.css';

interface CardsProps {
  readonly rows: Rows;
  readonly selection: Selection;
  readonly onRange: (first: number, last: number) => void;
}

const batch = 40;

/**
 * The list on a phone: one card per record, with its name as the title. More cards are rendered as the user scrolls.
 */
export function Cards({ rows, selection, onRange }: CardsProps) {
  const { workspace } = useRows();
  const [drawn, setDrawn] = useState(batch);
  const end = useRef<HTMLLIElement>(null);
  const count = Math.min(drawn, rows.count);
  useEffect(() => {
    rows.see(0, count - 1);
    onRange(0, count - 1);
  }, [rows, count, onRange]);
  useEffect(() => {
    const element = end.current;
    if (!element || count >= rows.count) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setDrawn((now) => now + batch);
      },
      { root: element.closest('.list-scroll'), rootMargin: '800px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [count, rows.count]);
  return (
    <div className="list-scroll fill scroll">
      <ul className="one-column list-cards stack" aria-label={workspace.arch.title}>
        {Array.from({ length: count }, (_, index) => rows.at(index)).map((row) => (
          <li key={row.key}>
            <CardRow row={row} selection={selection} />
          </li>
        ))}
        {count < rows.count && <li ref={end} className="shade list-card panel" aria-hidden="true" />}
      </ul>
    </div>
  );
}

function CardRow({ row, selection }: { readonly row: Row; readonly selection: Selection }) {
  const { workspace, actions } = useRows();
  if (row.kind === 'record') return <Card id={row.id} isSelected={selection.ids.has(row.id)} />;
  if (row.kind === 'wait') return <Skeleton width="60%" />;
  return (
    <button
      type="button"
      className="least-44 row gap-0 full strong start"
      aria-expanded={row.isOpen}
      style={{ paddingInlineStart: 4 + row.depth * 16 }}
      onClick={() => actions.toggleGroup(row.key)}
    >
      <Icon name="chevron-right" size={14} className={`dim list-chevron ${row.isOpen ? 'is-open' : ''}`} />
      {groupName(workspace.arch, row.groupBy, row.row)}
      <span className="regular list-count dim digits">{formatInteger(Number(row.row.__count))}</span>
    </button>
  );
}

const Card = memo(function Card({ id, isSelected }: { readonly id: number; readonly isSelected: boolean }) {
  const { workspace, search, columns, actions } = useRows();
  const record = useReadRecord(workspace.model, id);
  const title = columns.find(({ isMain }) => isMain) ?? columns[0];
  if (!record || !title) return <Skeleton width="60%" />;
  const name = String(record.display_name ?? id);
  const shown = columns.filter(
    (column) => column !== title && !isEmpty(record[column.name]) && !isHiddenCell(workspace.arch, column, record),
  );
  const pictures = shown.filter(isPicture);
  const value = ({ field, node, widget }: Column) => (
    <widget.Read {...{ field, node, record }} model={workspace.model} value={record[field.name]} place="list" />
  );
  return (
    <article className={`shade list-card line panel ${isSelected ? 'is-selected' : ''}`}>
      <span className="list-card-check middle rigid">
        <Checkbox
          label={t('Select {name}', { name })}
          isChecked={isSelected}
          onChange={() => actions.select(id, false)}
        />
      </span>
      <a
        className="grow"
        href={recordHref(search, workspace, id)}
        onClick={(event) => openHere(event, () => actions.open(id))}
      >
        <span className="list-card-title row">
          {pictures.map((column) => (
            <Fragment key={column.name}>{value(column)}</Fragment>
          ))}
          <b className="text-14 shrink break strong">{value(title)}</b>
        </span>
        <dl className="line wrap">
          {besides(shown, pictures).map((column) => (
            <div key={column.name}>
              <dt className="tiny dim">{column.label}</dt>
              <dd className="break">{value(column)}</dd>
            </div>
          ))}
        </dl>
      </a>
    </article>
  );
});

function isPicture({ field }: Column): boolean {
  return fieldType(field.type).isImage;
}

const linesOfCard = 4;

function besides(shown: readonly Column[], pictures: readonly Column[]): readonly Column[] {
  return shown.filter((column) => !pictures.includes(column)).slice(0, linesOfCard);
}

function openHere(event: React.MouseEvent, open: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  open();
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
