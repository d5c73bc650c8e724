import type { CustomiseData, WorkspacePayload } from '@kontor/protocol';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { expireAll } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldForm } from './field-form.tsx';
import { DeleteNotice, labelNow, type NewLabel, RenameForm, renameChange } from './field-steps.tsx';
import { addChange, emptyField, messagesOf, type NewField, placesIn, sourceOf } from './new-field.ts';
import { type FieldStep, Overview, Used } from './overview.tsx';
import './styles.css';

export interface CustomiseProps {
  readonly workspace: WorkspacePayload;
  readonly onClose: () => void;
}

/** What the dialog shows: the list of fields, or a step of one field. */
type Page =
  | { readonly kind: 'overview' }
  | { readonly kind: 'add'; readonly given: NewField }
  | { readonly kind: 'rename'; readonly name: string; readonly given: NewLabel }
  | { readonly kind: 'delete'; readonly name: string };

/** Adds fields to the model of a form and changes them, for everybody. */
export function CustomiseDialog({ workspace, onClose }: CustomiseProps) {
  const { data, problem: failure } = useCustomiseData(workspace.model);
  const [page, setPage] = useState<Page>({ kind: 'overview' });
  const form = useId();
  const { send, isBusy, problem, forget } = useSending(data, onClose);
  const turn = (next: Page) => {
    forget();
    setPage(next);
  };
  const onStep = (step: FieldStep, name: string) => {
    if (!data) return;
    if (step === 'rename') return turn({ kind: 'rename', name, given: labelNow(data, name) });
    if (step === 'delete') return turn({ kind: 'delete', name });
    void send('publish', [{ do: step, model: data.model, name }]);
  };
  const changes = data ? changesOf(page, data, workspace) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send('publish', changes);
  };
  const isForm = page.kind === 'add' || page.kind === 'rename';
  return (
    <Dialog
      title={titleOf(page, data, workspace)}
      width={560}
      onClose={onClose}
      onBack={page.kind === 'overview' ? undefined : () => turn({ kind: 'overview' })}
      footer={
        <>
          {(problem || failure) && (
            <p className="field-problem share" role="alert">
              {problem || failure}
            </p>
          )}
          {page.kind === 'overview' ? (
            <OverviewFoot data={data} onClose={onClose} onPublish={() => void send('publish', [])} />
          ) : (
            <StepFoot page={page} form={form} isBusy={isBusy} onStep={(step) => void send(step, changes)} />
          )}
        </>
      }
    >
      {data && page.kind === 'overview' && (
        <Overview data={data} onAdd={() => turn({ kind: 'add', given: emptyField })} onStep={onStep} />
      )}
      {data && page.kind === 'delete' && <DeleteNotice data={data} name={page.name} />}
      {data && isForm && (
        <form id={form} className="stack gap-3" onSubmit={submit}>
          <StepForm page={page} data={data} workspace={workspace} onTurn={turn} />
        </form>
      )}
    </Dialog>
  );
}

/** Sends changes, closes the dialog and loads all screens again; a mistake stays in the dialog. */
function useSending(data: CustomiseData | null, onClose: () => void) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (step: 'save' | 'publish', changes: readonly object[]) => {
    if (!data || isBusy) return;
    setBusy(true);
    try {
      const { base, draft } = data;
      await whileBusy(request('/web/customise', { json: { do: step, base, draft, changes } }));
      onClose();
      const title = step === 'publish' ? t('Published for everybody') : t('Added to the draft');
      showToast({ kind: 'success', title });
      expireAll();
    } catch (error) {
      setProblem(messagesOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy, problem, forget: () => setProblem('') };
}

interface StepFormProps {
  readonly page: Extract<Page, { kind: 'add' | 'rename' }>;
  readonly data: CustomiseData;
  readonly workspace: WorkspacePayload;
  readonly onTurn: (page: Page) => void;
}

function StepForm({ page, data, workspace, onTurn }: StepFormProps): ReactNode {
  const source = sourceOf(data);
  if (page.kind === 'rename')
    return <RenameForm {...{ data, source }} given={page.given} onChange={(given) => onTurn({ ...page, given })} />;
  return (
    <>
      <FieldForm
        {...{ data, source }}
        given={page.given}
        places={formPlaces(workspace)}
        onChange={(next) => onTurn({ ...page, given: { ...page.given, ...next } })}
      />
      <Used data={data} />
    </>
  );
}

interface StepFootProps {
  readonly page: Exclude<Page, { kind: 'overview' }>;
  readonly form: string;
  readonly isBusy: boolean;
  readonly onStep: (step: 'save' | 'publish') => void;
}

function StepFoot({ page, form, isBusy, onStep }: StepFootProps) {
  const isComplete = () =>
    page.kind === 'delete' || (document.getElementById(form) as HTMLFormElement | null)?.reportValidity() === true;
  return (
    <>
      <Button disabled={isBusy} onClick={() => isComplete() && onStep('save')}>
        {t('Add to draft')}
      </Button>
      {page.kind === 'delete' ? (
        <Button kind="danger" disabled={isBusy} onClick={() => onStep('publish')}>
          {t('Delete')}
        </Button>
      ) : (
        <Button kind="primary" type="submit" form={form} disabled={isBusy}>
          {t('Publish')}
        </Button>
      )}
    </>
  );
}

interface OverviewFootProps {
  readonly data: CustomiseData | null;
  readonly onClose: () => void;
  readonly onPublish: () => void;
}

function OverviewFoot({ data, onClose, onPublish }: OverviewFootProps) {
  return (
    <>
      <Button onClick={onClose}>{t('Close')}</Button>
      {data && data.waiting.length > 0 && (
        <Button kind="primary" onClick={onPublish}>
          {t('Publish the draft')}
        </Button>
      )}
    </>
  );
}

function titleOf(page: Page, data: CustomiseData | null, { arch }: WorkspacePayload): string {
  const model = data?.label ?? arch.title;
  if (page.kind === 'overview') return t('Customise {model}', { model });
  if (page.kind === 'add') return t('Add a field to {model}', { model });
  const name = data?.fields[page.name]?.label ?? page.name;
  return page.kind === 'rename' ? t('Rename {name}', { name }) : t('Delete {name}?', { name });
}

function changesOf(page: Page, data: CustomiseData, { arch }: WorkspacePayload): readonly object[] {
  if (page.kind === 'overview') return [];
  if (page.kind === 'delete') return [{ do: 'delete_field', model: data.model, name: page.name }];
  if (page.kind === 'rename') return [renameChange(data.model, page.name, page.given)];
  const names = arch.fields.map(({ name }) => name);
  return [addChange(page.given, data, names)];
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
