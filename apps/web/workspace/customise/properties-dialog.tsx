import type { CustomiseData } from '@kontor/protocol';
import { type FormEvent, useId, useState } from 'react';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { expireAll } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from './controls.tsx';
import { ModelProperties } from './model-form.tsx';
import { messagesOf, sourceOf } from './new-field.ts';
import { changeModelChange, modelNow, type NewModel } from './new-model.ts';
import { useCustomiseData } from './use-customise-data.ts';
import './styles.css';

interface PropertiesDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  /** After it was published or added to the draft. */
  readonly onDone: () => void;
}

/** Changes the names, the icon, the menu and the rights of an added model. */
export function PropertiesDialog({ name, onClose, onDone }: PropertiesDialogProps) {
  const { data, problem: failure } = useCustomiseData(name);
  const [edited, setEdited] = useState<NewModel | null>(null);
  const { send, isBusy, problem } = useSending(data, name, onDone);
  const form = useId();
  const given = edited ?? (data && modelNow(data));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given) void send('publish', given);
  };
  const toDraft = () => {
    const isComplete = (document.getElementById(form) as HTMLFormElement | null)?.reportValidity() === true;
    if (isComplete && given) void send('save', given);
  };
  return (
    <Dialog
      title={data ? t('Change {model}', { model: data.label }) : t('Change …')}
      width={560}
      onClose={onClose}
      footer={
        <>
          <Problem text={problem || failure} />
          <Button disabled={!given || isBusy} onClick={toDraft}>
            {t('Add to draft')}
          </Button>
          <Button kind="primary" type="submit" form={form} disabled={!given || isBusy}>
            {t('Publish')}
          </Button>
        </>
      }
    >
      {data && given && (
        <form id={form} className="stack gap-3" onSubmit={submit}>
          <ModelProperties
            {...{ data, given }}
            source={sourceOf(data)}
            onChange={(next) => setEdited({ ...given, ...next })}
          />
        </form>
      )}
    </Dialog>
  );
}

function useSending(data: CustomiseData | null, name: string, onDone: () => void) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (step: 'save' | 'publish', given: NewModel) => {
    if (!data || isBusy) return;
    setBusy(true);
    try {
      const { base, draft } = data;
      const changes = [changeModelChange(given, name)];
      await whileBusy(request('/web/customise', { json: { do: step, base, draft, changes } }));
      const title = step === 'publish' ? t('Published for everybody') : t('Added to the draft');
      showToast({ kind: 'success', title });
      expireAll();
      onDone();
    } catch (error) {
      setProblem(messagesOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy, problem };
}
