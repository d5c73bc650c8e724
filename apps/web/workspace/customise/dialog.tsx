import type { CustomiseData, CustomiseSeen, WorkspacePayload } from '@kontor/protocol';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { expireAll } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap } from '../../state/bootstrap.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldForm } from './field-form.tsx';
import { addChange, emptyField, type NewField, placesIn, typeLabel } from './new-field.ts';
import './styles.css';

export interface CustomiseProps {
  readonly workspace: WorkspacePayload;
  readonly onClose: () => void;
}

/** Adds fields to the model of a form, for everybody. */
export function CustomiseDialog({ workspace, onClose }: CustomiseProps) {
  const { data, problem: failure } = useCustomiseData(workspace.model);
  const [isAdding, setAdding] = useState(false);
  const [given, setGiven] = useState<NewField>(emptyField);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const form = useId();
  const change = (next: Partial<NewField>) => {
    setProblem('');
    setGiven((now) => ({ ...now, ...next }));
  };
  const send = async (step: 'save' | 'publish') => {
    if (!data || isBusy) return;
    setBusy(true);
    try {
      const names = workspace.arch.fields.map(({ name }) => name);
      const changes = isAdding ? [addChange(given, data, names)] : [];
      await whileBusy(post({ do: step, base: data.base, draft: data.draft, changes }));
      onClose();
      showToast({
        kind: 'success',
        title: step === 'publish' ? t('Published for everybody') : t('Added to the draft'),
      });
      expireAll();
    } catch (error) {
      setProblem(messagesOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send('publish');
  };
  return (
    <Dialog
      title={
        isAdding
          ? t('Add a field to {model}', { model: data?.label ?? '' })
          : t('Customise {model}', { model: data?.label ?? workspace.arch.title })
      }
      width={560}
      onClose={onClose}
      onBack={isAdding ? () => setAdding(false) : undefined}
      footer={
        <>
          {(problem || failure) && (
            <p className="field-problem share" role="alert">
              {problem || failure}
            </p>
          )}
          <Foot {...{ data, isAdding, isBusy, form, onClose }} onStep={(step) => void send(step)} />
        </>
      }
    >
      {data && !isAdding && <Overview data={data} onAdd={() => setAdding(true)} />}
      {data && isAdding && (
        <form id={form} className="stack gap-3" onSubmit={submit}>
          <FieldForm
            data={data}
            given={given}
            source={sourceOf(data)}
            places={formPlaces(workspace)}
            onChange={change}
          />
          <Used data={data} />
        </form>
      )}
    </Dialog>
  );
}

interface FootProps {
  readonly data: CustomiseData | null;
  readonly isAdding: boolean;
  readonly isBusy: boolean;
  readonly form: string;
  readonly onClose: () => void;
  readonly onStep: (step: 'save' | 'publish') => void;
}

function Foot({ data, isAdding, isBusy, form, onClose, onStep }: FootProps) {
  if (!isAdding)
    return (
      <>
        <Button onClick={onClose}>{t('Close')}</Button>
        {data && data.waiting.length > 0 && (
          <Button kind="primary" disabled={isBusy} onClick={() => onStep('publish')}>
            {t('Publish the draft')}
          </Button>
        )}
      </>
    );
  return (
    <>
      <Button
        disabled={isBusy}
        onClick={() => (document.getElementById(form) as HTMLFormElement | null)?.reportValidity() && onStep('save')}
      >
        {t('Add to draft')}
      </Button>
      <Button kind="primary" type="submit" form={form} disabled={isBusy}>
        {t('Publish')}
      </Button>
    </>
  );
}

function Overview({ data, onAdd }: { readonly data: CustomiseData; readonly onAdd: () => void }) {
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
            <li key={name} className="line gap-2">
              <span className="strong">{field.label}</span>
              <span className="small mut">{t(typeLabel(field))}</span>
              <code className="small mut push">{name}</code>
            </li>
          ))}
        </ul>
        <Used data={data} />
        <div>
          <Button icon="plus" disabled={fields.length >= data.limits.fields} onClick={onAdd}>
            {t('Add a field')}
          </Button>
        </div>
      </section>
    </div>
  );
}

function Used({ data }: { readonly data: CustomiseData }) {
  const used = Object.keys(data.fields).length;
  return <p className="small mut">{t('{used} of {max} added fields used', { used, max: data.limits.fields })}</p>;
}

/** English where it is used, otherwise the language of the author: what others see without a translation. */
function sourceOf({ languages }: CustomiseData): CustomiseData['languages'][number] | undefined {
  const { lang } = bootstrap();
  return (
    languages.find(({ code }) => code.startsWith('en')) ?? languages.find(({ code }) => code === lang) ?? languages[0]
  );
}

function formPlaces({ arch }: WorkspacePayload): readonly (readonly [string, string])[] {
  const labels = new Map(arch.fields.map(({ name, label }) => [name, label]));
  return [...new Set(placesIn(arch.form?.children ?? []))].map((name) => [name, labels.get(name) ?? name]);
}

function useCustomiseData(model: string) {
  const [data, setData] = useState<CustomiseData | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    whileBusy(request<{ result: CustomiseData }>(`/web/customise?${new URLSearchParams({ model })}`)).then(
      ({ body }) => setData(body.result),
      (error: unknown) => setProblem(toClientError(error).message),
    );
  }, [model]);
  return { data, problem };
}

async function post(json: CustomiseSeen & { readonly do: string; readonly changes: readonly object[] }): Promise<void> {
  await request('/web/customise', { json });
}

/** All mistakes, without the technical names of their places. */
function messagesOf(error: unknown): string {
  const failed = toClientError(error);
  const all = Object.values(failed.fields).flat();
  return all.length > 0 ? all.join(' ') : failed.message;
}
