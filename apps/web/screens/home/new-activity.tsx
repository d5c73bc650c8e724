import type { MenuPlace } from '@kontor/protocol';
import { useId, useState } from 'react';
import { ActivityForm } from '../../fields/activity/activity-form.tsx';
import { type Named, RecordField } from '../../fields/record-field.tsx';
import { t } from '../../i18n/messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import '../../fields/activity/activities.css';

export interface NewActivityProps {
  readonly places: readonly MenuPlace[];
  /** The model of the record that the user opened last. */
  readonly lastModel: string;
  onClose(): void;
  onSaved(): void;
}

interface Kind {
  readonly model: string;
  readonly label: string;
}

/** Creates an activity, which always belongs to a record. */
export function NewActivity({ places, lastModel, onClose, onSaved }: NewActivityProps) {
  const kinds = kindsOf(places);
  const [model, setModel] = useState(kinds.find((kind) => kind.model === lastModel)?.model ?? kinds[0]?.model ?? '');
  const [record, setRecord] = useState<Named | null>(null);
  const id = useId();
  const about = (
    <>
      <label className="small mut above-1" htmlFor={`${id}-kind`}>
        {t('About')}
      </label>
      <div className="stack below-2 activity-about">
        <select
          id={`${id}-kind`}
          className="input"
          value={model}
          onChange={(event) => {
            setModel(event.target.value);
            setRecord(null);
          }}
        >
          {kinds.map((kind) => (
            <option key={kind.model} value={kind.model}>
              {kind.label}
            </option>
          ))}
        </select>
        <div className="round control">
          <RecordField
            key={model}
            id={`${id}-record`}
            label={t('Record')}
            relation={model}
            value={record}
            onChange={setRecord}
          />
        </div>
      </div>
    </>
  );
  return (
    <Dialog title={t('New activity')} width={460} onClose={onClose}>
      <ActivityForm
        {...{ model, about, onClose }}
        {...(record ? { recordId: record.id } : {})}
        onSaved={async () => onSaved()}
      />
    </Dialog>
  );
}

/** Each model that has a discussion and a menu, once. */
function kindsOf(places: readonly MenuPlace[]): readonly Kind[] {
  const kinds = places.flatMap(({ model, label, hasChatter }) =>
    model && label && hasChatter ? { model, label } : [],
  );
  return [...new Map(kinds.map((kind) => [kind.model, kind])).values()];
}
