import type { CustomiseScreenData } from '@kontor/protocol';
import { useState } from 'react';
import { formatDate } from '../../i18n/dates.ts';
import { toLocalInput } from '../../i18n/local-time.ts';
import { t, tn } from '../../i18n/messages.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Badge } from '../../ui/parts.tsx';
import { editStates, openRights } from '../../workspace/customise/load-customise.ts';
import { Card } from '../page.tsx';

const { Component: ModelFields } = lazyComponent(
  async () => (await import('../../workspace/customise/model-dialog.tsx')).ModelFields,
);

const { Component: PropertiesDialog } = lazyComponent(
  async () => (await import('../../workspace/customise/properties-dialog.tsx')).PropertiesDialog,
);

const { Component: Uses } = lazyComponent(async () => (await import('../../workspace/customise/field-steps.tsx')).Uses);

type Added = CustomiseScreenData['models'][number];

interface ModelsProps {
  readonly data: CustomiseScreenData;
  readonly isBusy: boolean;
  readonly send: (json: object, done: string) => Promise<void>;
  readonly reload: () => void;
}

/** The added models, and those that were deleted and can be brought back. */
export function Models({ data, isBusy, send, reload }: ModelsProps) {
  const [open, setOpen] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<Added | null>(null);
  const { models, deletedModels, limits } = data;
  if (models.length + deletedModels.length === 0) return null;
  const change = (step: string, model: string) =>
    send({ do: 'publish', changes: [{ do: step, model }] }, t('Published for everybody'));
  return (
    <Card
      title={t('Added models')}
      about={t('{used} of {max} added models used', { used: models.length, max: limits.models })}
    >
      <ul className="stack gap-2">
        {models.map((model) => (
          <ModelRow
            key={model.name}
            model={model}
            onOpen={() => setOpen(model.name)}
            onChanged={reload}
            onStep={(step) => (step === 'delete_model' ? setLeaving(model) : void change(step, model.name))}
          />
        ))}
        {deletedModels.map(({ name, label, until }) => (
          <li key={name} className="row gap-2">
            <span>{label}</span>
            <span className="small mut">
              {t('Deleted, data kept until {day}', { day: formatDate(toLocalInput(until).slice(0, 10)) })}
            </span>
            <span className="push">
              <Button disabled={isBusy} onClick={() => void change('restore_model', name)}>
                {t('Bring back')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {open !== null && <ModelFields name={open} onClose={() => setOpen(null)} />}
      {leaving && (
        <DeleteDialog
          model={leaving}
          isBusy={isBusy}
          onClose={() => setLeaving(null)}
          onDelete={async () => {
            await change('delete_model', leaving.name);
            setLeaving(null);
          }}
        />
      )}
    </Card>
  );
}

interface ModelRowProps {
  readonly model: Added;
  readonly onOpen: () => void;
  readonly onChanged: () => void;
  readonly onStep: (step: 'retire_model' | 'use_model' | 'delete_model') => void;
}

function ModelRow({ model, onOpen, onChanged, onStep }: ModelRowProps) {
  const [isChanging, setChanging] = useState(false);
  const { name, label, icon, retired, isPublished, mayChange, fields } = model;
  const entries: readonly MenuEntry[] = [
    { key: 'change', label: t('Name, menu and rights …'), icon: 'pencil', run: () => setChanging(true) },
    ...(isPublished
      ? [{ key: 'rights', label: t('Rights …'), icon: 'lock', run: () => openRights(name) } as const]
      : []),
    retired
      ? { key: 'use', label: t('Use again'), icon: 'eye', run: () => onStep('use_model') }
      : { key: 'retire', label: t('Retire'), icon: 'eye-off', run: () => onStep('retire_model') },
    { key: 'delete', label: t('Delete …'), icon: 'trash-2', isDanger: true, run: () => onStep('delete_model') },
  ];
  return (
    <li className="row gap-2">
      <NamedIcon name={icon || 'box'} size={20} />
      {isPublished ? (
        <a className="strong" href={`/web?${new URLSearchParams({ model: name, view_type: 'list' })}`}>
          {label}
        </a>
      ) : (
        <span className="strong">{label}</span>
      )}
      {retired && <Badge>{t('Retired')}</Badge>}
      {!isPublished && <Badge>{t('Draft')}</Badge>}
      <span className="small mut">{tn('{n} field', '{n} fields', fields)}</span>
      {mayChange && (
        <span className="row gap-2 push">
          <Button onClick={onOpen}>{t('Fields …')}</Button>
          <Button onClick={() => editStates(name)}>{t('States …')}</Button>
          <Menu
            label={t('Actions of {name}', { name: label })}
            align="end"
            entries={entries}
            trigger={(props) => (
              <IconButton icon="ellipsis" label={t('Actions of {name}', { name: label })} {...props} />
            )}
          />
        </span>
      )}
      {isChanging && (
        <PropertiesDialog
          name={name}
          onClose={() => setChanging(false)}
          onDone={() => {
            setChanging(false);
            onChanged();
          }}
        />
      )}
    </li>
  );
}

interface DeleteProps {
  readonly model: Added;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onDelete: () => Promise<void>;
}

/** Lists what uses the model first. */
function DeleteDialog({ model: { name, label }, isBusy, onClose, onDelete }: DeleteProps) {
  return (
    <Dialog
      title={t('Delete {name}?', { name: label })}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="danger" disabled={isBusy} onClick={() => void onDelete()}>
            {t('Delete')}
          </Button>
        </>
      }
    >
      <div className="stack gap-3">
        <p>{t('Its records and screens are gone for everybody. They can be brought back for 30 days.')}</p>
        <Uses model={name} name="" />
      </div>
    </Dialog>
  );
}
