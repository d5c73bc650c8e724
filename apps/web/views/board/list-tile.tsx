import { type ArchField, fieldType, type ListColumn, tileLines } from '@kontor/protocol';
import type { MouseEvent, ReactNode } from 'react';
import { widgetOf } from '../../fields/registry.tsx';
import { t } from '../../i18n/messages.ts';
import { trailFromHere } from '../../navigation/crumbs.ts';
import { navigate } from '../../navigation/router.ts';
import { recordHref } from '../open-record.ts';
import { NothingHere } from './tile-states.tsx';
import { type TileProps, viewProps } from './tile-view.ts';

/** Columns that fit, by the columns of the board that the tile takes. */
function columnsFor(width: number): number {
  return width <= 3 ? 2 : width <= 5 ? 3 : width <= 8 ? 4 : 5;
}

/** What a record is called comes first; marks such as a star say little alone. */
function isName({ type, relation }: ArchField): boolean {
  return fieldType(type).isText && relation === undefined;
}

function Cell({ isEnd, value }: { readonly isEnd: boolean; readonly value: ReactNode }) {
  return <span className={isEnd ? 'num' : undefined}>{value}</span>;
}

/** The breadcrumbs of the record lead back to the board. */
function openHere(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  void navigate(event.currentTarget.getAttribute('href') ?? '', { trail: trailFromHere() });
}

/** The first lines of a list; each opens its record. */
export function ListTile(props: TileProps) {
  const { workspace, search } = viewProps(props);
  const { arch, records, model } = workspace;
  const fields = new Map(arch.fields.map((field) => [field.name, field]));
  const shown = (arch.list?.columns ?? [])
    .flatMap((node): readonly [ListColumn, ArchField][] => {
      const field = fields.get(node.name);
      return field && node.name !== arch.list?.handle && node.invisible !== true ? [[node, field]] : [];
    })
    .sort((one, other) => Number(isName(other[1])) - Number(isName(one[1])))
    .slice(0, columnsFor(props.tile.width));
  const most = tileLines(props.tile.height);
  if (records.length === 0) return <NothingHere />;
  return (
    <>
      <ul className="tile-list">
        {records.slice(0, most).map((record) => (
          <li key={record.id}>
            {shown.map(([node, field], at) => {
              const { Read, align } = widgetOf(field, node.widget);
              const value = <Read {...{ field, node, record, model }} value={record[field.name]} place="list" />;
              if (at > 0) return <Cell key={node.name} isEnd={align === 'end'} value={value} />;
              return (
                <a key={node.name} href={recordHref(search, workspace, record.id)} onClick={openHere}>
                  {value}
                </a>
              );
            })}
          </li>
        ))}
      </ul>
      {records.length > most && <p className="tile-more">{t('There are more.')}</p>}
    </>
  );
}
