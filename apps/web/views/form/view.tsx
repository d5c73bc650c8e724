import { useEffect, useRef } from 'react';
import {
  type ChatterProps,
  currentPlace,
  lazyComponent,
  navigate,
  needsSave,
  PanelHost,
  placeHref,
  recordHref,
  showToast,
  t,
  usePhone,
  type ViewProps,
  type WorkspacePayload,
} from '../../door/index.ts';
import { HeaderBar } from './header-bar.tsx';
import { ConflictDialog, Notices } from './notices.tsx';
import { FormSheet } from './sheet.tsx';
import { FormProvider, hasDiscussion, type OpenForm, useForm, useSave } from './use-form.ts';
import './fields.css';
import './parts.css';
import './styles.css';

const { Component: Chatter } = lazyComponent<ChatterProps>(async () => (await import('./chatter/chatter.tsx')).Chatter);

const { Component: PhoneFoot } = lazyComponent<{ onSave(): Promise<boolean> }>(
  async () => (await import('./phone-foot.tsx')).PhoneFoot,
);

const { Component: BoardTiles } = lazyComponent<{ readonly workspace: WorkspacePayload }>(
  async () => (await import('../board/board.tsx')).BoardTiles,
);

/** One record: header with buttons and status, the sheet, and the discussion beside it. */
export function FormView({ workspace, search, isPartial }: ViewProps) {
  const open = useForm(workspace);
  const save = useSave(open, (wasNew) => {
    if (!wasNew) return;
    return navigate(recordHref(search, workspace, open.form.get().id), { isReplace: true, keepTrail: true });
  });
  const isPhone = usePhone();
  useSaveKey(save);
  useDraftNotice(open);
  const hasChatter = hasDiscussion(workspace.arch) && workspace.recordId > 0;
  return (
    <FormProvider value={open}>
      <HeaderBar search={search} onSave={save} />
      <div
        className={`fill stack gap-0 one-column form ${hasChatter ? 'form-talks' : ''}`}
        aria-busy={isPartial || undefined}
      >
        <div className="shrink scroll least-0 form-main">
          <Notices />
          <FormSheet key={open.key} />
          {workspace.arch.board && <BoardTiles workspace={workspace} />}
        </div>
        {hasChatter && (
          <Chatter
            key={workspace.recordId}
            model={workspace.model}
            recordId={workspace.recordId}
            hasTimeline={workspace.arch.hasTimeline === true}
          />
        )}
      </div>
      {isPhone && <PhoneFoot onSave={save} />}
      <ConflictDialog onSave={save} />
      <PanelHost />
    </FormProvider>
  );
}

function useSaveKey(save: () => Promise<boolean>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) void save();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });
}

/** After leaving a form with unsaved changes, a toast says that they are kept. */
function useDraftNotice({ form, workspace }: OpenForm): void {
  const href = useRef('');
  useEffect(() => {
    if (workspace.recordId === form.get().id) href.current = placeHref(currentPlace());
  }, [form, workspace]);
  useEffect(
    () => () => {
      if (!needsSave(form.get())) return;
      const back = href.current;
      showToast({
        kind: 'info',
        title: t('Your changes are kept, but not saved yet.'),
        action: { label: t('Go back'), run: () => void navigate(back) },
      });
    },
    [form],
  );
}
