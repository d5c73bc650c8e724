import { useRef, useState } from 'react';
import { dueOf } from '../../data/my-activities.ts';
import { askFor, useNextActivity } from '../../data/next-activities.ts';
import { t } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { NamedIcon } from '../../ui/named-icon.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { remainingText } from '../remaining-days/read.tsx';
import { Activities } from './activities.tsx';
import { useActivities } from './use-activities.ts';
import './activities.css';
import './next-activity.css';

/** What is next to do about a record, in the colour of its due date; a click shows all of it and plans more. */
export function NextActivity(props: FieldReadProps) {
  const { model, record, place } = props;
  const next = useNextActivity(model, record.id);
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  if (!hasFeature('activities')) return null;
  const when = next ? remainingText({ ...props, value: next.dueDate }) : '';
  const label = next ? t('{name}, {when}', { name: next.name, when }) : t('Plan an activity');
  return (
    <span className="next" data-direct onKeyDown={(event) => isOpen && event.stopPropagation()}>
      <button
        ref={anchor}
        type="button"
        className={`next-button ${next ? `next-${dueOf(next.dueDate)}` : 'next-none'}`}
        aria-label={label}
        aria-expanded={isOpen}
        title={label}
        tabIndex={place === 'list' ? -1 : 0}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(!isOpen);
        }}
      >
        <NamedIcon name={next?.icon ?? 'clock'} size={14} />
        {next && place !== 'kanban' && <span>{when}</span>}
      </button>
      {isOpen && (
        <Popover anchor={anchor} className="next-box" onClose={() => setOpen(false)}>
          <Planned model={model} recordId={record.id} />
        </Popover>
      )}
    </span>
  );
}

function Planned({ model, recordId }: { readonly model: string; readonly recordId: number }) {
  const activities = useActivities(model, recordId);
  const refresh = async () => {
    askFor(model, recordId);
    await activities.refresh();
  };
  return <Activities {...activities} model={model} recordId={recordId} refresh={refresh} />;
}
