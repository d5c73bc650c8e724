import { type MouseEvent, memo } from 'react';
import {
  type Arch,
  type ArchField,
  Avatar,
  Checkbox,
  colourValue,
  type FieldNode,
  fieldType,
  holds,
  IconButton,
  nameOnScreen,
  navigate,
  openRecord,
  pictureSource,
  prefetchRecord,
  type RecordValues,
  recordHref,
  type SearchState,
  t,
  trailFromHere,
  useReadRecord,
  ValueRead,
  valueText,
  type WorkspacePayload,
  widgetOf,
} from '../../door/index.ts';
import { useCardChoice } from './chosen-cards.tsx';

interface CardProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly id: number;
  readonly isLifted: boolean;
  readonly hintId?: string | undefined;
}

/** One record as a card. Its title is a link that covers the whole card. */
export const Card = memo(function Card({ workspace, search, id, isLifted, hintId }: CardProps) {
  const { model, arch } = workspace;
  const record = useReadRecord(model, id);
  const choice = useCardChoice(id);
  const { kanban } = arch;
  if (!record || !kanban) return null;
  const looks = looksOf(arch, record);
  const colour = kanban.card.color ? colourValue(record[kanban.card.color]) : null;
  const opens = kanban.card.opens && `/web?action=${kanban.card.opens}&active_ids=${id}`;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (opens) void navigate(opens, { trail: trailFromHere() });
    else openRecord(search, workspace, id);
  };
  const mark = looks.find((look) => look !== 'muted' && look !== 'bold');
  return (
    <article
      data-card={id}
      data-drag-item={id}
      className={`column panel gap-1 anchor clip shade kanban-card ${looks.map((look) => `kanban-card-${look}`).join(' ')} ${isLifted ? 'is-lifted' : ''} ${choice.isChosen ? 'is-chosen' : ''}`}
      onPointerEnter={() => prefetchSoon(search, workspace, id)}
    >
      {colour && <span className="pin at-front kanban-stripe" style={{ background: colour }} aria-hidden="true" />}
      <div className="line gap-2 at-start kanban-head">
        <a
          href={opens ?? recordHref(search, workspace, id)}
          className="grow semi break kanban-title"
          dir="auto"
          draggable={false}
          data-drag-handle
          aria-describedby={hintId}
          onClick={open}
          onKeyDown={(event) => {
            if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey || isLifted) return;
            event.preventDefault();
            choice.toggle?.();
          }}
          onFocus={() => prefetchSoon(search, workspace, id)}
        >
          {titleText(arch, record)}
        </a>
        {opens && (
          <IconButton
            className="anchor above kanban-form"
            icon="pencil"
            size={14}
            label={t('Open the form of {name}', { name: titleText(arch, record) })}
            onClick={() => openRecord(search, workspace, id)}
          />
        )}
        <CardCheck id={id} name={titleText(arch, record)} />
        {mark && <span className={`rigid circle square-8 dim kanban-dot tone-${mark}`} aria-hidden="true" />}
      </div>
      <CardContent arch={arch} record={record} />
    </article>
  );
});

/** A separate component, so that the checkbox does not render with every change of its card. */
const CardCheck = memo(function CardCheck({ id, name }: { readonly id: number; readonly name: string }) {
  const { isChosen, toggle } = useCardChoice(id);
  if (!toggle) return null;
  return (
    <span className="round-m pin above hidden kanban-check">
      <Checkbox label={t('Select {name}', { name })} isChecked={isChosen} tabIndex={-1} onChange={toggle} />
    </span>
  );
});

export function titleText(arch: Arch, record: RecordValues): string {
  const node = arch.kanban?.card.title;
  const field = arch.fields.find(({ name }) => name === node?.name);
  const text = node && field ? valueText({ field, node, model: arch.model, record, place: 'kanban' }) : '';
  return text || nameOnScreen(record.display_name);
}

export function looksOf(arch: Arch, record: RecordValues): readonly string[] {
  const decorations = arch.kanban?.card.decorations ?? [];
  return decorations.filter(({ when }) => holds(when, record, arch.fields)).map(({ look }) => look);
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Waits a moment, so that a pointer passing by loads nothing. */
function prefetchSoon(search: SearchState, workspace: WorkspacePayload, id: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => prefetchRecord(search, workspace, id), 80);
}

interface Shown {
  readonly node: FieldNode;
  readonly field: ArchField;
}

/** The content below the title: lines, then one row with the amount, the stars and the person. */
function CardContent({ arch, record }: { readonly arch: Arch; readonly record: RecordValues }) {
  const card = arch.kanban?.card;
  if (!card) return null;
  const lines = shownFields(arch, card.lines, record);
  const footer = shownFields(arch, card.footer, record);
  const amounts = lines.filter(isAmount);
  // A single amount goes into the last row; several need their labels.
  const isRow = amounts.length === 1;
  const value = ({ field, node }: Shown) => (
    <ValueRead {...{ field, node, record }} model={arch.model} place="kanban" />
  );
  const ends = footer.filter(isPerson);
  const starts = footer.filter((one) => !isPerson(one));
  const image = card.image ? pictureSource(record[card.image]) : null;
  return (
    <>
      {image && <img className="full round-s crop kanban-image" src={image} alt="" loading="lazy" draggable={false} />}
      {lines
        .filter((line) => !isAmount(line))
        .map((line) => (
          <div key={line.node.name} className="cut shrink mut kanban-line" data-type={line.field.type}>
            {value(line)}
          </div>
        ))}
      {!isRow && amounts.length > 0 && (
        <dl className="stack gap-half kanban-amounts">
          {amounts.map((line) => (
            <div className="line apart gap-2" key={line.node.name}>
              <dt className="dim">{line.node.label ?? line.field.label}</dt>
              <dd>{value(line)}</dd>
            </div>
          ))}
        </dl>
      )}
      {(starts.length > 0 || ends.length > 0 || isRow) && (
        <div className="row wrap least-24 gap-3 rows-1 pad-t-1 kanban-foot">
          {starts.map((one) => (
            <span key={one.node.name} className="shrink kanban-fact">
              {isNumber(one) && <span className="dim">{one.node.label ?? one.field.label} </span>}
              {value(one)}
            </span>
          ))}
          <span className="inline-row gap-2 push medium digits">
            {isRow && amounts.map((one) => <span key={one.node.name}>{value(one)}</span>)}
            {ends.map((one) => (
              <Person key={one.node.name} arch={arch} record={record} shown={one} />
            ))}
          </span>
        </div>
      )}
    </>
  );
}

function Person({ arch, record, shown }: { arch: Arch; record: RecordValues; shown: Shown }) {
  const { field, node } = shown;
  const name = valueText({ field, node, model: arch.model, record, place: 'kanban' });
  return (
    <span className="anchor inline-line" title={name}>
      <Avatar name={name} size="s" />
      <span className="sr-only">{name}</span>
    </span>
  );
}

function shownFields(arch: Arch, nodes: readonly FieldNode[], record: RecordValues): readonly Shown[] {
  return nodes.flatMap((node) => {
    const field = arch.fields.find(({ name }) => name === node.name);
    if (!field || isEmpty(record[node.name]) || holds(node.invisible, record, arch.fields)) return [];
    return [{ node, field }];
  });
}

function isAmount({ field, node }: Shown): boolean {
  return isNumber({ field, node }) && (node.widget === undefined || node.widget === 'monetary');
}

function isNumber({ field, node }: Shown): boolean {
  return widgetOf(field, node.widget).align === 'end';
}

function isPerson({ field }: Shown): boolean {
  return fieldType(field.type).isToOne && field.relation === 'core.user';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
