import type { Arch, WorkspacePayload } from '@kontor/protocol';
import { type MouseEvent, memo } from 'react';
import { holds } from '../../data/condition.ts';
import { useRecord } from '../../data/records.ts';
import type { RecordValues } from '../../data/rpc.ts';
import { colourValue } from '../../fields/colour/palette.ts';
import { valueText } from '../../fields/value.tsx';
import { t } from '../../i18n/messages.ts';
import type { SearchState } from '../../search/search-state.ts';
import { Checkbox } from '../../ui/parts.tsx';
import { openRecord, prefetchRecord, recordHref } from '../open-record.ts';
import { CardContent } from './card-content.tsx';
import { useCardChoice } from './chosen-cards.ts';

interface CardProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly id: number;
  readonly isLifted: boolean;
  readonly hintId?: string | undefined;
}

/** One record as a card. Its title is the link, stretched over the whole card. */
export const Card = memo(function Card({ workspace, search, id, isLifted, hintId }: CardProps) {
  const { model, arch } = workspace;
  const record = useRecord(model, id);
  const choice = useCardChoice(id);
  const { kanban } = arch;
  if (!record || !kanban) return null;
  const looks = looksOf(arch, record);
  const colour = kanban.card.color ? colourValue(record[kanban.card.color]) : null;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openRecord(search, workspace, id);
  };
  const mark = looks.find((look) => look !== 'muted' && look !== 'bold');
  return (
    <article
      data-card={id}
      className={`kanban-card ${looks.map((look) => `kanban-card-${look}`).join(' ')} ${isLifted ? 'is-lifted' : ''} ${choice.isChosen ? 'is-chosen' : ''}`}
      onPointerEnter={() => prefetchSoon(search, workspace, id)}
    >
      {colour && <span className="kanban-stripe" style={{ background: colour }} aria-hidden="true" />}
      <div className="kanban-head">
        <a
          href={recordHref(search, workspace, id)}
          className="kanban-title"
          draggable={false}
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
        <CardCheck id={id} name={titleText(arch, record)} />
        {mark && <span className={`kanban-dot kanban-dot-${mark}`} aria-hidden="true" />}
      </div>
      <CardContent arch={arch} record={record} />
    </article>
  );
});

/** On its own, so that the box is touched only for its own sake however often its card is drawn. */
const CardCheck = memo(function CardCheck({ id, name }: { readonly id: number; readonly name: string }) {
  const { isChosen, toggle } = useCardChoice(id);
  if (!toggle) return null;
  return (
    <span className="kanban-check">
      <Checkbox label={t('Select {name}', { name })} isChecked={isChosen} tabIndex={-1} onChange={toggle} />
    </span>
  );
});

export function titleText(arch: Arch, record: RecordValues): string {
  const node = arch.kanban?.card.title;
  const field = arch.fields.find(({ name }) => name === node?.name);
  const text = node && field ? valueText({ field, node, model: arch.model, record, place: 'kanban' }) : '';
  return text || String(record.display_name ?? `#${record.id}`);
}

export function looksOf(arch: Arch, record: RecordValues): readonly string[] {
  const decorations = arch.kanban?.card.decorations ?? [];
  return decorations.filter(({ when }) => holds(when, record, arch.fields)).map(({ look }) => look);
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** A pointer that only passes over the cards asks for nothing. */
function prefetchSoon(search: SearchState, workspace: WorkspacePayload, id: number): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => prefetchRecord(search, workspace, id), 80);
}
