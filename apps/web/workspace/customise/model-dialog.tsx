import { type FormEvent, useId, useState } from 'react';
import { request } from '../../data/request.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from './controls.tsx';
import { FieldsDialog } from './dialog.tsx';
import { ModelForm } from './model-form.tsx';
import { messagesOf, sourceOf } from './new-field.ts';
import { addModelChange, emptyModel, modelName } from './new-model.ts';
import { useCustomiseData } from './use-customise-data.ts';
import './styles.css';

/** Adds a model to the draft and goes on with its fields. Publishing the draft opens its list. */
export function ModelDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, problem: failure } = useCustomiseData('');
  const [given, setGiven] = useState(emptyModel);
  const [added, setAdded] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const form = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!data || isBusy) return;
    setBusy(true);
    try {
      const { base, draft } = data;
      const changes = [addModelChange(given, data)];
      await whileBusy(request('/web/customise', { json: { do: 'save', base, draft, changes } }));
      setAdded(modelName(given, data));
    } catch (error) {
      setProblem(messagesOf(error));
    } finally {
      setBusy(false);
    }
  };
  if (added !== '') return <ModelFields name={added} onClose={onClose} />;
  return (
    <Dialog
      title={t('Add a model')}
      width={560}
      onClose={onClose}
      footer={
        <>
          <Problem text={problem || failure} />
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" form={form} disabled={!data || isBusy}>
            {t('Continue with its fields')}
          </Button>
        </>
      }
    >
      {data && (
        <form id={form} className="stack gap-3" onSubmit={(event) => void submit(event)}>
          <ModelForm
            {...{ data, given }}
            source={sourceOf(data)}
            onChange={(next) => setGiven((before) => ({ ...before, ...next }))}
          />
        </form>
      )}
    </Dialog>
  );
}

interface ModelFieldsProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** The fields of an added model, until the draft with them is published. */
export function ModelFields({ name, onClose }: ModelFieldsProps) {
  return (
    <FieldsDialog
      subject={{ model: name, title: '', names: [], places: [] }}
      keepsOpen
      onPublished={() => location.assign(`/web?${new URLSearchParams({ model: name, view_type: 'list' })}`)}
      onClose={onClose}
    />
  );
}
