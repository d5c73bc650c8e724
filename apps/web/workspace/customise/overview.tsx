import type { CustomFieldData, CustomiseData } from '@kontor/protocol';
import { formatDate } from '../../i18n/dates.ts';
import { toLocalInput } from '../../i18n/local-time.ts';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Badge } from '../../ui/parts.tsx';
import { typeLabel } from './new-field.ts';

/** What can be done with one field of the list. */
export type FieldStep = 'rename' | 'retire_field' | 'use_field' | 'delete' | 'restore_field';

interface OverviewProps {
  readonly data: CustomiseData;
  readonly onAdd: () => void;
  readonly onStep: (step: FieldStep, name: string) => void;
}

/** The fields that were added to the model, what waits in the draft, and what was deleted. */
export function Overview({ data, onAdd, onStep }: OverviewProps) {
  const fields = Object.entries(data.fields);
  return (
    <div className="stack gap-4">
      {data.waiting.length > 0 && (
        <section className="stack gap-1">
          <h3>{t('In the draft')}</h3>
          <ul className="stack gap-1">
            {data.waiting.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      <section className="stack gap-2">
        <h3>{t('Added fields')}</h3>
        {fields.length === 0 && <p className="mut">{t('No fields were added yet.')}</p>}
        <ul className="stack gap-1">
          {fields.map(([name, field]) => (
            <FieldRow key={name} {...{ name, field }} onStep={(step) => onStep(step, name)} />
          ))}
        </ul>
        <Used data={data} />
        <div>
          <Button icon="plus" disabled={fields.length >= data.limits.fields} onClick={onAdd}>
            {t('Add a field')}
          </Button>
        </div>
      </section>
      {data.deleted.length > 0 && (
        <section className="stack gap-2">
          <h3>{t('Deleted fields')}</h3>
          <ul className="stack gap-1">
            {data.deleted.map(({ name, until }) => (
              <li key={name} className="line gap-2">
                <code className="small">{name}</code>
                <span className="small mut">
                  {t('Data kept until {day}', { day: formatDate(toLocalInput(until).slice(0, 10)) })}
                </span>
                <span className="push">
                  <Button onClick={() => onStep('restore_field', name)}>{t('Bring back')}</Button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface FieldRowProps {
  readonly name: string;
  readonly field: CustomFieldData;
  readonly onStep: (step: FieldStep) => void;
}

function FieldRow({ name, field, onStep }: FieldRowProps) {
  const entries: readonly MenuEntry[] = [
    { key: 'rename', label: t('Rename …'), icon: 'pencil', run: () => onStep('rename') },
    field.retired
      ? { key: 'use', label: t('Use again'), icon: 'eye', run: () => onStep('use_field') }
      : { key: 'retire', label: t('Retire'), icon: 'eye-off', run: () => onStep('retire_field') },
    { key: 'delete', label: t('Delete …'), icon: 'trash-2', isDanger: true, run: () => onStep('delete') },
  ];
  return (
    <li className="row gap-2">
      <span className="strong">{field.label}</span>
      <span className="small mut">{t(typeLabel(field))}</span>
      {field.retired && <Badge>{t('Retired')}</Badge>}
      <span className="row gap-2 push">
        <code className="small mut customise-name">{name}</code>
        <Menu
          label={t('Actions of {name}', { name: field.label })}
          align="end"
          entries={entries}
          trigger={(props) => (
            <IconButton icon="ellipsis" label={t('Actions of {name}', { name: field.label })} {...props} />
          )}
        />
      </span>
    </li>
  );
}

export function Used({ data }: { readonly data: CustomiseData }) {
  const used = Object.keys(data.fields).length;
  return <p className="small mut">{t('{used} of {max} added fields used', { used, max: data.limits.fields })}</p>;
}
