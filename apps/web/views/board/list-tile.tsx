import { type ArchField, type ListColumn, tileLines } from '@kontor/protocol';
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
    .slice(0, columnsFor(props.tile.width));
  const most = tileLines(props.tile.height);
  if (records.length === 0) return <NothingHere />;
  return (
    <>
      <ul className="tile-list">
        {records.slice(0, most).map((record) => (
          <li key={record.id}>
            <a
              href={recordHref(search, workspace, record.id)}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                void navigate(recordHref(search, workspace, record.id), { trail: trailFromHere() });
              }}
            >
              {shown.map(([node, field]) => {
                const { Read, align } = widgetOf(field, node.widget);
                return (
                  <span key={node.name} className={align === 'end' ? 'num' : undefined}>
                    <Read {...{ field, node, record, model }} value={record[field.name]} place="list" />
                  </span>
                );
              })}
            </a>
          </li>
        ))}
      </ul>
      {records.length > most && <p className="tile-more">{t('There are more.')}</p>}
    </>
  );
}
