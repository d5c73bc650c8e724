import type { MouseEvent } from 'react';
import {
  type ArchField,
  fieldType,
  navigate,
  recordHref,
  t,
  tileLines,
  trailFromHere,
  ValueRead,
} from '../../door/index.ts';
import { columnsOf } from '../table/columns.ts';
import { NothingHere } from './tile-states.tsx';
import { type TileProps, viewProps } from './tile-view.ts';

/** How many columns fit, by the width of the tile in board columns. */
function columnsFor(width: number): number {
  return width <= 3 ? 2 : width <= 5 ? 3 : width <= 8 ? 4 : 5;
}

/** The name of a record comes first; marks such as a star mean little alone. */
function isName({ type, relation }: ArchField): boolean {
  return fieldType(type).isText && relation === undefined;
}

/** The breadcrumbs of the record lead back to the board. */
function openHere(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  void navigate(event.currentTarget.getAttribute('href') ?? '', { trail: trailFromHere() });
}

/** The first rows of a list; each opens its record. */
export function ListTile(props: TileProps) {
  const { workspace, search } = viewProps(props);
  const { arch, records, model } = workspace;
  const shown = [...columnsOf(arch)]
    .sort((one, other) => Number(isName(other.field)) - Number(isName(one.field)))
    .slice(0, columnsFor(props.tile.width));
  const most = tileLines(props.tile.height);
  if (records.length === 0) return <NothingHere />;
  return (
    <>
      <ul className="scroll-y tile-list fill">
        {records.slice(0, most).map((record) => (
          <li className="stack level gap-3 lined last-bare hovers" key={record.id}>
            {shown.map(({ name, field, node, isEnd }, at) => {
              const given = { field, node, record, model, place: 'list' } as const;
              return at > 0 ? (
                <span key={name} className={isEnd ? 'cut num' : 'cut'}>
                  <ValueRead {...given} />
                </span>
              ) : (
                <a key={name} className="cut medium" href={recordHref(search, workspace, record.id)} onClick={openHere}>
                  <ValueRead {...given} />
                </a>
              );
            })}
          </li>
        ))}
      </ul>
      {records.length > most && <p className="small mut tile-more">{t('There are more.')}</p>}
    </>
  );
}
