import { useState } from 'react';
import {
  type ArchField,
  Button,
  Dialog,
  type FieldConflict,
  settleConflicts,
  shownRecord,
  t,
  useStorePart,
  valueText,
} from '../../door/index.ts';
import { useOpenForm } from './use-form.ts';

export interface PickerProps {
  readonly conflicts: Readonly<Record<string, FieldConflict>>;
  onSave(): Promise<boolean>;
}

/** Shows the original value, mine and theirs for each field. */
export function Picker({ conflicts, onSave }: PickerProps) {
  const { form, workspace } = useOpenForm();
  const names = Object.keys(conflicts);
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set(names));
  const choose = (name: string, isMine: boolean) => {
    const next = new Set(mine);
    if (isMine) next.add(name);
    else next.delete(name);
    setMine(next);
  };
  const close = () => form.set((now) => ({ ...now, conflicts: {} }));
  const save = () => {
    settleConflicts(form, mine);
    void onSave();
  };
  return (
    <Dialog
      title={t('Two people changed this')}
      onClose={close}
      width={640}
      footer={
        <>
          <Button onClick={close}>{t('Not now')}</Button>
          <Button kind="primary" onClick={save}>
            {t('Save this choice')}
          </Button>
        </>
      }
    >
      <p className="mut below-3">{t('For each field, choose the value to keep.')}</p>
      {names.map((name) => {
        const field = workspace.arch.fields.find((one) => one.name === name);
        return field ? (
          <Choice
            key={name}
            field={field}
            conflict={conflicts[name] as FieldConflict}
            isMine={mine.has(name)}
            onChoose={(isMine) => choose(name, isMine)}
          />
        ) : null;
      })}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly field: ArchField;
  readonly conflict: FieldConflict;
  readonly isMine: boolean;
  readonly onChoose: (isMine: boolean) => void;
}

function Choice({ field, conflict, isMine, onChoose }: ChoiceProps) {
  const { form, workspace } = useOpenForm();
  const theirs = useStorePart(form, (state) => state.theirs);
  const { stored } = form.get();
  const mineRecord = shownRecord(form.get());
  const text = (record: object, value: unknown) => {
    const whole = { ...record, id: stored.id, [field.name]: value };
    return valueText({ field, node: field, model: workspace.model, record: whole, place: 'list' }) || t('empty');
  };
  return (
    <fieldset className="round-m framed pad-2-3 below-3">
      <legend className="strong pad-x-1">{field.label}</legend>
      <p className="dim">{t('Before: {value}', { value: text(stored, conflict.base) })}</p>
      <label className="stack break target level conflict-side">
        <input type="radio" name={`conflict-${field.name}`} checked={isMine} onChange={() => onChoose(true)} />
        <span>{t('Mine')}</span>
        <b className="semi">{text(mineRecord, mineRecord[field.name])}</b>
      </label>
      <label className="stack break target level conflict-side">
        <input type="radio" name={`conflict-${field.name}`} checked={!isMine} onChange={() => onChoose(false)} />
        <span>{t('Theirs')}</span>
        <b className="semi">{text(theirs ?? {}, theirs ? theirs[field.name] : conflict.theirs)}</b>
      </label>
    </fieldset>
  );
}
