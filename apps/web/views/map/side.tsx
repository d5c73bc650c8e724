import { useEffect, useMemo, useRef } from 'react';
import {
  Avatar,
  Button,
  Chip,
  fieldType,
  goTo,
  Icon,
  IconButton,
  Menu,
  navigate,
  type RecordValues,
  recall,
  refine,
  shadeOf,
  t,
  tn,
  toHref,
  useRecords,
  useWorkspaceIds,
  ValueRead,
  valueText,
} from '../../door/index.ts';
import { keyOf, type MapScope, placeOf, titleOf, useMap } from './map-context.ts';
import { onScreen, toPoint } from './mercator.ts';

/** The same records as a list, to read, sort, or use without seeing the map. */
export function RecordList() {
  const scope = useMap();
  const { workspace, search, route } = scope;
  const { shown, seeEnd } = useListed(scope);
  return (
    <>
      <div className="row lined surface stick at-top above least-44 pad-y-1 pad-x-4 map-head">
        <h2 className="normal heavy">{t('{n} on the map', { n: workspace.listTotal })}</h2>
        {search.extra.area && (
          <Chip removeLabel={t('Search everywhere')} onRemove={() => goTo(search, { area: '' })}>
            {t('This area')}
          </Chip>
        )}
        <SortMenu {...scope} />
      </div>
      {workspace.listTotal === 0 && (
        <p className="dim pad-4">{search.extra.area ? t('No records in this area.') : t('Nothing has a position.')}</p>
      )}
      <ul className="map-list">
        {shown.map((record) => (
          <Row key={record.id} record={record} stop={route.indexOf(record.id)} />
        ))}
      </ul>
      {shown.length < workspace.listTotal && (
        <Button className="map-more" onClick={seeEnd}>
          {t('Show more')}
        </Button>
      )}
    </>
  );
}

/** The first records come with the map; a button loads more. */
function useListed({ workspace, map }: MapScope) {
  const { model } = workspace;
  const { ids, seeEnd } = useWorkspaceIds(workspace, { pageSize: 100, domain: map.domains.placed });
  const rows = useMemo(() => ids.map((id) => recall(model, id) ?? { id }), [model, ids]);
  return { shown: useRecords(model, rows), seeEnd };
}

function Row({ record, stop }: { readonly record: RecordValues; readonly stop: number }) {
  const scope = useMap();
  const { workspace, map, chosen, hovered, colour, route, choose, hover, setRoute } = scope;
  const row = useRef<HTMLLIElement>(null);
  const key = keyOf(map, record);
  const isOn = chosen?.id === record.id;
  useEffect(() => {
    if (isOn) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOn]);
  const { amount, who, words } = rowValues(scope, record);
  const toggle = () => setRoute(stop < 0 ? [...route, record.id] : route.filter((id) => id !== record.id));
  const name = titleOf(map, record);
  return (
    <li
      ref={row}
      className={`row anchor lined gap-0 reveals map-row ${isOn ? 'is-on' : hovered === key ? 'is-hovered' : ''}`}
      onPointerEnter={() => hover(key)}
      onPointerLeave={() => hover(null)}
    >
      <button
        type="button"
        className="stack grow start focus-in gap-2 rows-half level map-row-main"
        aria-pressed={isOn}
        onFocus={() => hover(key)}
        onBlur={() => hover(null)}
        onClick={() => {
          choose(isOn ? null : { key, id: record.id });
          showPlace(scope, record);
        }}
      >
        <b className="cut">
          {colour && (
            <i className="circle inline-block map-dot" style={{ background: shadeOf(record, colour).colour }} />
          )}
          <bdi>{name}</bdi>
        </b>
        {amount && (
          <span className="strong digits map-amount">
            <ValueRead {...amount} model={workspace.model} record={record} place="kanban" />
          </span>
        )}
        <span className="cut small dim map-words">{words.slice(0, 2).join(', ')}</span>
        {who && (
          <span title={who}>
            <Avatar name={who} size="s" />
            <span className="sr-only">{who}</span>
          </span>
        )}
      </button>
      <IconButton
        className={`rigid map-row-stop ${stop < 0 ? 'revealed' : ''}`}
        icon={stop < 0 ? 'plus' : 'x'}
        label={stop < 0 ? t('Add {name} to the route', { name }) : t('Remove {name} from the route', { name })}
        onClick={toggle}
      />
    </li>
  );
}

/** The first amount is shown beside the name, and a person as an avatar; the other values are text. */
function rowValues({ workspace: { arch, model }, map }: MapScope, record: RecordValues) {
  const fields = map.lines.flatMap((node) => {
    const field = node.invisible === true ? undefined : arch.fields.find(({ name }) => name === node.name);
    return field ? [{ field, node }] : [];
  });
  const amount = fields.find(({ field }) => fieldType(field.type).isMoney);
  const person = fields.find(({ node }) => node.widget === 'many2one_avatar');
  const textOf = (one: (typeof fields)[number]) => valueText({ ...one, model, record, place: 'kanban' });
  const words = fields
    .filter((one) => one !== amount && one !== person)
    .map(textOf)
    .filter((text) => text !== '');
  return { amount, who: person && textOf(person), words };
}

/** Moves the map to a record that is out of view. */
export function showPlace({ map, view, size, look }: MapScope, record: RecordValues): void {
  const place = placeOf(map, record);
  if (!place) return;
  const point = toPoint(place);
  const { x, y } = onScreen(view, size, point);
  if (x < 40 || y < 40 || x > size.width - 40 || y > size.height - 40) look({ ...view, ...point });
}

function SortMenu({ workspace, search, map }: MapScope) {
  const names = [map.title, ...map.lines.map(({ name }) => name)];
  const fields = workspace.arch.fields.filter(({ name, sortable }) => sortable && names.includes(name));
  const sort = search.sort || workspace.listSort;
  const [first = ''] = sort.split(',');
  const current = fields.find(({ name }) => name === first.trim().replace(/^-/, ''));
  if (fields.length < 2) return null;
  const orderBy = (name: string, type: string) => {
    // Amounts start with the largest, names with A; clicking again reverses the order.
    const usual = fieldType(type).isNumber ? `-${name}` : name;
    const other = usual.startsWith('-') ? name : `-${name}`;
    void navigate(toHref(refine(search, { sort: sort === usual ? other : usual })), { keepTrail: true });
  };
  return (
    <Menu
      label={t('Sort by')}
      align="end"
      entries={fields.map(({ name, label, type }) => ({
        key: name,
        label,
        isChecked: current?.name === name,
        run: () => orderBy(name, type),
      }))}
      trigger={(props) => (
        <button type="button" className="inline-row gap-1 push mut round-s target hovers pad-x-1h" {...props}>
          <span className="sr-only">{t('Sort by')}</span> {current?.label ?? t('Sort by')}
          <Icon name="chevron-down" size={14} />
        </button>
      )}
    />
  );
}

interface UnplacedFootProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows how many records have no position, so that none is missed. */
export function UnplacedFoot({ isOpen, onToggle }: UnplacedFootProps) {
  const { map } = useMap();
  if (map.unplaced === 0 && !isOpen) return null;
  return (
    <div className="row rigid semi warn pad-2-4 topped warned map-foot">
      <Icon name="pin-off" />
      <span role="status">{tn('{n} without a position', '{n} without a position', map.unplaced)}</span>
      <Button className="push" onClick={onToggle}>
        {isOpen ? t('Back to the list') : map.placing ? t('Place on the map') : t('Show them')}
      </Button>
    </div>
  );
}
