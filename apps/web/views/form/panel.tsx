import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import {
  Button,
  type ButtonNode,
  bootstrap,
  type ChatterProps,
  closePanel,
  Dialog,
  type Domain,
  invalidFields,
  lazyComponent,
  missingFields,
  type Panel,
  request,
  Skeleton,
  showError,
  shownRecord,
  t,
  type Values,
  type WorkspacePayload,
} from '../../door/index.ts';
import { ActionButton } from './action-button.tsx';
import { AskDialog, ChoiceDialog } from './ask-dialog.tsx';
import { BesideList, besideWidth, closeBeside, WholeScreen } from './beside-list.tsx';
import { ConflictDialog, Notices } from './notices.tsx';
import { FormSheet } from './sheet.tsx';
import { FormProvider, hasDiscussion, useForm, useSave } from './use-form.ts';

const { Component: Chatter } = lazyComponent<ChatterProps>(async () => (await import('./chatter/chatter.tsx')).Chatter);

interface PanelProps<P extends Panel = Panel> {
  readonly panel: P;
  onClose(): void;
}

/** Ctrl+S saves in a panel as in a form. */
function SaveKey({ onSave, children }: { onSave(): Promise<boolean>; readonly children: ReactNode }) {
  const pressed = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    void onSave();
  };
  return (
    <div role="presentation" onKeyDown={pressed}>
      {children}
    </div>
  );
}

/** A record or a line in a side panel, or the dialog of an action. */
export function PanelForm({ panel }: { readonly panel: Panel }) {
  const onClose = useCallback(() => closePanel(panel.key), [panel.key]);
  if (panel.kind === 'list') return <BesideList panel={panel} onClose={onClose} />;
  if (panel.kind === 'line') return <LineForm panel={panel} onClose={onClose} />;
  if (panel.kind === 'ask') return <AskDialog panel={panel} onClose={onClose} />;
  if (panel.kind === 'choice') return <ChoiceDialog panel={panel} onClose={onClose} />;
  return <RecordForm panel={panel} onClose={onClose} />;
}

function RecordForm({ panel, onClose }: PanelProps<Extract<Panel, { kind: 'record' }>>) {
  const [workspace, setWorkspace] = useState<WorkspacePayload | null>(null);
  useEffect(() => {
    request<WorkspacePayload>(`${bootstrap().wcApiBase}/workspace?${panel.query}`).then(
      ({ body }) => setWorkspace(withValues(body, { ...knownOf(panel.domain), ...panel.defaults })),
      (error) => {
        showError(error);
        onClose();
      },
    );
  }, [panel, onClose]);
  if (workspace) return <LoadedForm panel={panel} workspace={workspace} onClose={onClose} />;
  return (
    <Dialog title={panel.title} {...placeOf(panel, onClose)}>
      <Skeleton width="60%" />
    </Dialog>
  );
}

/** The values that a domain implies for a new record: in a field for companies, `is_company`. */
function knownOf(domain: Domain = []): Values {
  if (!domain.every(Array.isArray)) return {};
  const known = (domain as readonly (readonly unknown[])[]).filter(
    ([name, operator, value]) => operator === '=' && !/\W/.test(String(name)) && !String(value).startsWith('$'),
  );
  return Object.fromEntries(known.map(([name, , value]) => [name, value]));
}

/** The caller's values override the defaults of the server. */
function withValues(workspace: WorkspacePayload, given: Values): WorkspacePayload {
  const { arch } = workspace;
  if (!arch.form) return workspace;
  return { ...workspace, arch: { ...arch, form: { ...arch.form, values: { ...arch.form.values, ...given } } } };
}

function placeOf({ isDialog, isInPlace }: Extract<Panel, { kind: 'record' }>, onClose: () => void) {
  if (isDialog) return { place: 'middle', width: 560, onClose } as const;
  if (isInPlace) return { place: 'side', width: besideWidth, onClose: closeBeside, onBack: onClose } as const;
  return { place: 'side', onClose } as const;
}

interface LoadedProps extends PanelProps<Extract<Panel, { kind: 'record' }>> {
  readonly workspace: WorkspacePayload;
}

function LoadedForm({ panel, workspace, onClose }: LoadedProps) {
  const open = useForm(workspace, { isPanel: true });
  const { buttons } = workspace.arch.header;
  const done = () => {
    const { id, stored } = open.form.get();
    panel.onSaved({ id, name: String(stored.display_name ?? '') });
    onClose();
  };
  const save = useSave(open, done);
  const isAsking = panel.isDialog === true && buttons.length > 0;
  const hasChatter = !panel.isDialog && workspace.recordId > 0 && hasDiscussion(workspace.arch);
  // Dialogs have no Save; their own buttons answer.
  const refuse = async () => false;
  return (
    <FormProvider value={open}>
      <SaveKey onSave={isAsking ? refuse : save}>
        <Dialog
          title={isAsking ? workspace.arch.title : panel.title || String(open.form.get().stored.display_name ?? '')}
          {...placeOf(panel, onClose)}
          actions={!isAsking && workspace.recordId > 0 && <WholeScreen href={`/web?${panel.query}`} />}
          footer={
            isAsking ? (
              <DialogButtons buttons={buttons} onClose={onClose} onDone={done} />
            ) : (
              <PanelButtons onClose={onClose} onSave={save} />
            )
          }
        >
          {buttons.length > 0 && !isAsking && (
            <div className="wrap line gap-2 rigid form-actions below-4">
              {buttons.map((button, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: one action may have several buttons, each for its own state.
                <ActionButton key={`${button.name}-${index}`} button={button} isPlain />
              ))}
            </div>
          )}
          <Notices />
          <FormSheet />
          {hasChatter && (
            <Chatter
              model={workspace.model}
              recordId={workspace.recordId}
              isInPanel
              hasTimeline={workspace.arch.hasTimeline === true}
            />
          )}
        </Dialog>
      </SaveKey>
      <ConflictDialog onSave={save} />
    </FormProvider>
  );
}

/** Applies changes to the parent record, which saves the line. */
function LineForm({ panel, onClose }: PanelProps<Extract<Panel, { kind: 'line' }>>) {
  const open = useForm(panel.workspace, {
    isPanel: true,
    isLocked: panel.isReadonly,
    parentValues: panel.parentValues,
  });
  const take = async () => {
    await open.settle();
    const { arch } = panel.workspace;
    const missing = { ...missingFields(open.form.get(), arch), ...invalidFields(open.form.get(), arch) };
    if (Object.keys(missing).length > 0) {
      open.form.set((now) => ({ ...now, errors: missing }));
      return false;
    }
    const { id: _id, ...record } = shownRecord(open.form.get());
    panel.onDone(record);
    onClose();
    return true;
  };
  return (
    <FormProvider value={open}>
      <SaveKey onSave={take}>
        <Dialog
          title={panel.title}
          place="side"
          onClose={onClose}
          footer={panel.isReadonly ? null : <PanelButtons onClose={onClose} onSave={take} saveLabel={t('Done')} />}
        >
          <FormSheet />
        </Dialog>
      </SaveKey>
    </FormProvider>
  );
}

interface DialogButtonsProps {
  readonly buttons: readonly ButtonNode[];
  onClose(): void;
  onDone(): void;
}

/** A dialog is answered with the buttons of its view; its record is not kept. */
function DialogButtons({ buttons, onClose, onDone }: DialogButtonsProps) {
  return (
    <>
      <Button onClick={onClose}>{t('Cancel')}</Button>
      {buttons.map((button) => (
        <ActionButton key={button.name} button={button} onDone={onDone} />
      ))}
    </>
  );
}

interface PanelButtonsProps {
  readonly saveLabel?: string;
  onClose(): void;
  onSave(): Promise<boolean>;
}

function PanelButtons({ saveLabel = t('Save'), onClose, onSave }: PanelButtonsProps) {
  return (
    <>
      <Button onClick={onClose}>{t('Cancel')}</Button>
      <Button kind="primary" onClick={() => void onSave()}>
        {saveLabel}
      </Button>
    </>
  );
}
