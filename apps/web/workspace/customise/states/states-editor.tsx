import type { CustomiseData, CustomiseStatesData } from '@kontor/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { request } from '../../../data/request.ts';
import { showToast } from '../../../data/toasts.ts';
import { expireAll } from '../../../data/workspace-cache.ts';
import { t, tn } from '../../../i18n/messages.ts';
import { whileBusy } from '../../../state/idle.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/parts.tsx';
import { usePhone } from '../../../ui/use-phone.ts';
import { messagesOf } from '../new-field.ts';
import { Inspector } from './inspector.tsx';
import { MovesTable } from './moves-table.tsx';
import { type Selected, StatesPicture } from './picture.tsx';
import { addMove, addState, type StatesEdit, startEdit, stateChanges, withOwn } from './states-edit.ts';
import '../editor/editor.css';
import '../styles.css';
import './states.css';

interface StatesEditorProps {
  readonly model: string;
  readonly onClose: () => void;
  readonly onPublished: () => void;
}

/** The states and moves of a model as a picture, and what is set of the selected one. */
// Over 60 lines: the state of the editor and what changes it.
export function StatesEditor({ model, onClose, onPublished }: StatesEditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPhone = usePhone();
  const [edits, setEdits] = useState<readonly StatesEdit[]>([]);
  const [at, setAt] = useState(-1);
  const [selected, setSelected] = useState<Selected>(null);
  const [isTable, setTable] = useState(isPhone);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const edit = edits[at];
  const { first, data, extra, failure } = useStates(model, edit);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const now = edit ?? (first ? startEdit(first) : null);
  const set = (next: StatesEdit) => {
    setEdits([...edits.slice(0, at + 1), next]);
    setAt(at + 1);
  };
  const changes = useMemo(() => (edit && first ? stateChanges(edit, first) : []), [edit, first]);
  const send = async (step: 'save' | 'publish') => {
    if (!first) return;
    setBusy(true);
    setRefusal('');
    try {
      const { base, draft } = first;
      await whileBusy(request('/web/customise', { json: { do: step, base, draft, changes } }));
      showToast({
        kind: 'success',
        title: step === 'publish' ? t('Published for everybody') : t('Added to the draft'),
      });
      expireAll();
      onPublished();
    } catch (error) {
      setRefusal(messagesOf(error));
      setBusy(false);
    }
  };
  const isOwnModel = data ? (data.field?.isOwn ?? data.isAdded) : false;
  const newState = () => {
    if (!now || !data) return;
    const { edit: next, value } = addState(
      now,
      data.states.map((state) => state.value),
      isOwnModel,
    );
    set(next);
    setSelected({ kind: 'state', name: value });
  };
  const newMove = () => {
    if (!now || !data) return;
    const from = selected?.kind === 'state' ? selected.name : (data.states[0]?.value ?? '');
    const to = data.states.find(({ value }) => value !== from)?.value ?? from;
    const { edit: next, name } = addMove(now, from, to);
    set(next);
    setSelected({ kind: 'move', name });
  };
  const place = (state: string, x: number, y: number) => {
    if (!now) return;
    const others = (now.own.places ?? []).filter((each) => each.state !== state);
    set(withOwn(now, { places: [...others, { state, x, y }] }));
  };
  const problems = [...new Set([failure, refusal, ...(data?.problems ?? [])])].filter(Boolean);
  const canSend = !isBusy && changes.length > 0 && problems.length === 0;
  const canBegin = data !== null && (data.field !== null || data.isAdded);
  return (
    <dialog
      ref={dialog}
      className="canvas ink pad-0 no-border editor states-editor"
      aria-label={t('States and moves')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="stack gap-1 pad-2-3 whole-row surface lined editor-bar">
        <div className="row wrap gap-2">
          <IconButton icon="x" label={t('Close')} onClick={onClose} />
          <h2 className="normal">{t('{name}: states and moves', { name: first?.label ?? '' })}</h2>
          <Button icon="plus" disabled={!canBegin} onClick={newState}>
            {t('State')}
          </Button>
          <Button icon="arrow-right" disabled={!data || data.states.length === 0} onClick={newMove}>
            {t('Move')}
          </Button>
          <div className="seg" role="group" aria-label={t('Shown as')}>
            <button type="button" aria-pressed={!isTable} onClick={() => setTable(false)}>
              {t('Picture')}
            </button>
            <button type="button" aria-pressed={isTable} onClick={() => setTable(true)}>
              {t('Table')}
            </button>
          </div>
          <span className="row wrap gap-2 push">
            <span className={problems.length > 0 ? 'small bad' : 'small mut'} role="status">
              {data && tn('{n} problem', '{n} problems', problems.length)}
            </span>
            <Button icon="rotate-ccw" disabled={at < 0} onClick={() => setAt(at - 1)}>
              {t('Undo')}
            </Button>
            <Button icon="refresh-cw" disabled={at >= edits.length - 1} onClick={() => setAt(at + 1)}>
              {t('Redo')}
            </Button>
            <Button disabled={!canSend} onClick={() => void send('save')}>
              {t('Add to draft')}
            </Button>
            <Button kind="primary" disabled={!canSend} onClick={() => void send('publish')}>
              {t('Publish')}
            </Button>
          </span>
        </div>
        {problems.length > 0 && (
          <ul className="stack gap-half" role="alert">
            {problems.map((problem) => (
              <li key={problem} className="field-problem">
                {problem}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="column gap-2 shrink editor-stage">
        {data && data.states.length === 0 && (
          <EmptyState
            icon="sliders-horizontal"
            title={t('No states yet')}
            next={
              canBegin && (
                <Button kind="primary" icon="plus" onClick={newState}>
                  {t('Add the first state')}
                </Button>
              )
            }
          >
            <p>
              {canBegin
                ? t('States say where a record is: a machine is free, rented out or being repaired.')
                : t('This model of an app has no states. They can begin on models that you added.')}
            </p>
          </EmptyState>
        )}
        {data && data.states.length > 0 && !isTable && (
          <StatesPicture {...{ data, selected }} onSelect={setSelected} onPlace={place} />
        )}
        {data && data.states.length > 0 && isTable && <MovesTable {...{ data, selected }} onSelect={setSelected} />}
        {now?.own.places?.length ? (
          <div className="pad-2-3">
            <Button onClick={() => set(withOwn(now, { places: [] }))}>{t('Tidy up')}</Button>
          </div>
        ) : null}
      </div>
      <div className="scroll surface ruled-end editor-side">
        {data && now && extra && (
          <Inspector {...{ data, extra, selected }} edit={now} onChange={set} onSelect={setSelected} />
        )}
      </div>
    </dialog>
  );
}

/** The states after the edits, and what the model offers. An answer that comes late is dropped. */
function useStates(model: string, edit: StatesEdit | undefined) {
  const [first, setFirst] = useState<CustomiseStatesData | null>(null);
  const [data, setData] = useState<CustomiseStatesData | null>(null);
  const [extra, setExtra] = useState<CustomiseData | null>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    whileBusy(request<{ result: CustomiseData }>(`/web/customise?${new URLSearchParams({ model })}`)).then(
      ({ body }) => setExtra(body.result),
      (error: unknown) => setFailure(messagesOf(error)),
    );
  }, [model]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first answer is what edits are compared with.
  useEffect(() => {
    let isLate = false;
    const changes = edit && first ? stateChanges(edit, first) : [];
    whileBusy(request<{ result: CustomiseStatesData }>('/web/customise/states', { json: { model, changes } })).then(
      ({ body }) => {
        if (isLate) return;
        if (!edit) setFirst(body.result);
        // What does not fit yet, such as a move without a start, is not in the answer: the last picture stays while it is mended.
        const { problems } = body.result;
        setData((known) => (known && problems.length > 0 ? { ...known, problems } : body.result));
        setFailure('');
      },
      (error: unknown) => !isLate && setFailure(messagesOf(error)),
    );
    return () => {
      isLate = true;
    };
  }, [model, edit]);
  return { first, data, extra, failure };
}
