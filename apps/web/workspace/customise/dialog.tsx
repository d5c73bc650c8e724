import type { CustomiseData, WorkspacePayload } from '@kontor/protocol';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { expireAll } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from './controls.tsx';
import { FieldForm } from './field-form.tsx';
import { DeleteNotice, labelNow, type NewLabel, RenameForm, renameChange } from './field-steps.tsx';
import { ModelViews } from './model-views.tsx';
import { addChange, emptyField, messagesOf, type NewField, placesIn, sourceOf } from './new-field.ts';
import { type FieldStep, Overview, Used } from './overview.tsx';
import { useCustomiseData } from './use-customise-data.ts';
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
  const { model, arch } = workspace;
  const names = arch.fields.map(({ name }) => name);
  return (
    <FieldsDialog subject={{ model, title: arch.title, names, places: formPlaces(workspace) }} onClose={onClose} />
  );
}

/** The model whose fields are changed, as its form has it. */
export interface Subject {
  readonly model: string;
  readonly title: string;
  /** Names that a new field cannot have. */
  readonly names: readonly string[];
  /** The fields that a new one can come after. */
  readonly places: readonly (readonly [name: string, label: string])[];
}

interface FieldsDialogProps {
  readonly subject: Subject;
  /** Adding to the draft leads back to the list of fields. */
  readonly keepsOpen?: boolean;
  /** Opens with a new field instead of the list of fields. */
  readonly first?: NewField;
  /** Told the name of a field that was added. */
  readonly onPublished?: (added?: string) => void;
  readonly onClose: () => void;
}

// Over 60 lines: the pages of one dialog, which share what is sent.
export function FieldsDialog({ subject, keepsOpen = false, first, onPublished, onClose }: FieldsDialogProps) {
  const [turn, setTurn] = useState(0);
  const { data, problem: failure } = useCustomiseData(subject.model, turn);
  const [page, setPage] = useState<Page>(first ? { kind: 'add', given: first } : { kind: 'overview' });
  const form = useId();
  const { send, isBusy, problem, forget } = useSending(data, (step) => {
    if (step === 'publish') {
      onClose();
      onPublished?.(page.kind === 'add' && data ? addChange(page.given, data, subject.names).name : undefined);
    } else if (keepsOpen) {
      setPage({ kind: 'overview' });
      setTurn(turn + 1);
    } else onClose();
  });
  const turnTo = (next: Page) => {
    forget();
    setPage(next);
  };
  const onStep = (step: FieldStep, name: string) => {
    if (!data) return;
    if (step === 'rename') return turnTo({ kind: 'rename', name, given: labelNow(data, name) });
    if (step === 'delete') return turnTo({ kind: 'delete', name });
    void send('publish', [{ do: step, model: data.model, name }]);
  };
  const changes = data ? changesOf(page, data, subject) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send('publish', changes);
  };
  const isForm = page.kind === 'add' || page.kind === 'rename';
  return (
    <Dialog
      title={titleOf(page, data, subject)}
      width={560}
      onClose={onClose}
      onBack={page.kind === 'overview' || first ? undefined : () => turnTo({ kind: 'overview' })}
      footer={
        <>
          <Problem text={problem || failure} />
          {page.kind === 'overview' ? (
            <OverviewFoot data={data} onClose={onClose} onPublish={() => void send('publish', [])} />
          ) : (
            <StepFoot page={page} form={form} isBusy={isBusy} onStep={(step) => void send(step, changes)} />
          )}
        </>
      }
    >
      {data && page.kind === 'overview' && (
        <OverviewPage
          {...{ data, isBusy, onStep }}
          onAdd={() => turnTo({ kind: 'add', given: emptyField })}
          onModel={(spec) => void send('save', [{ do: 'change_model', model: data.model, spec }])}
        />
      )}
      {data && page.kind === 'delete' && <DeleteNotice data={data} name={page.name} />}
      {data && isForm && (
        <form id={form} className="stack gap-3" onSubmit={submit}>
          <StepForm page={page} data={data} subject={subject} onTurn={turnTo} />
        </form>
      )}
    </Dialog>
  );
}

interface OverviewPageProps {
  readonly data: CustomiseData;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
  readonly onStep: (step: FieldStep, name: string) => void;
  readonly onModel: (spec: object) => void;
}

/** The fields, and the board and calendar of an added model. */
function OverviewPage({ data, isBusy, onAdd, onStep, onModel }: OverviewPageProps) {
  return (
    <>
      <Overview {...{ data, onAdd, onStep }} />
      {data.added && <ModelViews {...{ data, isBusy }} added={data.added} onChange={onModel} />}
    </>
  );
}

/** Sends changes, closes the dialog and loads all screens again; a mistake stays in the dialog. */
function useSending(data: CustomiseData | null, onSent: (step: 'save' | 'publish') => void) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (step: 'save' | 'publish', changes: readonly object[]) => {
    if (!data || isBusy) return;
    setBusy(true);
    try {
      const { base, draft } = data;
      await whileBusy(request('/web/customise', { json: { do: step, base, draft, changes } }));
      onSent(step);
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
  readonly subject: Subject;
  readonly onTurn: (page: Page) => void;
}

function StepForm({ page, data, subject, onTurn }: StepFormProps): ReactNode {
  const source = sourceOf(data);
  if (page.kind === 'rename')
    return <RenameForm {...{ data, source }} given={page.given} onChange={(given) => onTurn({ ...page, given })} />;
  return (
    <>
      <FieldForm
        {...{ data, source }}
        given={page.given}
        places={placesOf(data, subject)}
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

function titleOf(page: Page, data: CustomiseData | null, { title }: Subject): string {
  const model = data?.label ?? title;
  if (page.kind === 'overview') return t('Customise {model}', { model });
  if (page.kind === 'add') return t('Add a field to {model}', { model });
  const name = data?.fields[page.name]?.label ?? page.name;
  return page.kind === 'rename' ? t('Rename {name}', { name }) : t('Delete {name}?', { name });
}

function changesOf(page: Page, data: CustomiseData, { names }: Subject): readonly object[] {
  if (page.kind === 'overview') return [];
  if (page.kind === 'delete') return [{ do: 'delete_field', model: data.model, name: page.name }];
  if (page.kind === 'rename') return [renameChange(data.model, page.name, page.given)];
  return [addChange(page.given, data, names)];
}

/** The screens of an added model have its fields in their own order. */
function placesOf({ added, fields }: CustomiseData, { places }: Subject): Subject['places'] {
  return added ? added.shown.map((name) => [name, fields[name]?.label ?? name] as const) : places;
}

function formPlaces({ arch }: WorkspacePayload): readonly (readonly [string, string])[] {
  const labels = new Map(arch.fields.map(({ name, label }) => [name, label]));
  return [...new Set(placesIn(arch.form?.children ?? []))].map((name) => [name, labels.get(name) ?? name]);
}
