import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Arch,
  adoptRecord,
  autosaveDraft,
  createForm,
  createOnchange,
  createStore,
  dropDraft,
  expireModel,
  type Form,
  fillNames,
  firstValues,
  freshState,
  isLinesEdit,
  type LinesEdit,
  needsSave,
  noLinesEdit,
  read,
  restoreDraft,
  type Store,
  saveForm,
  showError,
  shownRecord,
  showToast,
  t,
  useKept,
  useStorePart,
  type Values,
  type WorkspacePayload,
  withEdit,
} from '../../door/index.ts';

interface FormCore {
  readonly form: Form;
  /** Identifies the form on the page. It stays the same when a new record is saved, so that the focus is kept. */
  readonly key: number;
  /** The payload that was rendered last. */
  latest: WorkspacePayload;
  /** Pending requests of lines that must finish before the record is saved. */
  readonly unsettled: Set<() => Promise<unknown>>;
  /** A save waits for this work, such as a paste. */
  hold(work: Promise<unknown>): void;
  /** Adds a line to the first editable list of lines on screen; null if there is none. */
  readonly addLine: Store<(() => void) | null>;
  set(name: string, value: unknown, shown?: Values): void;
  /** Changes the lines of an x2many, based on their current state. */
  setLines(name: string, change: (edit: LinesEdit) => LinesEdit): void;
  /** Waits for pending requests. */
  settle(): Promise<void>;
  save(): Promise<boolean>;
  discard(): void;
  /** Loads the record again, after an action changed it. */
  reload(): Promise<void>;
  /** Fills a new line with its defaults. */
  begin(): void;
  open(): void;
  close(): void;
}

export interface OpenForm extends Omit<FormCore, 'latest' | 'open' | 'close' | 'begin'> {
  /** Without the record, which is in `form`. */
  readonly workspace: WorkspacePayload;
  /** Read-only, as in a panel that only shows a record. */
  readonly isLocked: boolean;
}

interface FormOptions {
  /** Panels start from the values they are given and keep no drafts. */
  readonly isPanel?: boolean;
  readonly isLocked?: boolean;
  /** For a line: the unsaved values of its parent record. */
  readonly parentValues?: () => Values;
}

/** The record of a workspace, open for editing: edits, onchange, drafts and saving. */
export function useForm(workspace: WorkspacePayload, options: FormOptions = {}): OpenForm {
  const { isPanel = false, isLocked = false } = options;
  const isLine = options.parentValues !== undefined;
  const [kept, setKept] = useState(() => openForm(workspace, options));
  let core = kept;
  if (!belongs(core, workspace)) {
    core = openForm(workspace, options);
    setKept(core);
  }
  useEffect(() => {
    core.latest = workspace;
    const [record] = workspace.records;
    if (record) adoptRecord(core.form, record);
  }, [core, workspace]);
  useEffect(() => {
    const { latest } = core;
    core.open();
    void fillNames(core.form, latest);
    if (isLine && latest.recordId === 0 && Object.keys(firstValues(latest)).length === 0) core.begin();
    return () => core.close();
  }, [core, isLine]);
  useEffect(() => (isPanel ? undefined : autosaveDraft(core.form)), [core, isPanel]);
  // The record is in `form`, so that everything around it stays the same object when only the record changes.
  const frame = useKept(useMemo(() => ({ ...workspace, records: [], csrfToken: '' }), [workspace]));
  return useMemo(() => ({ ...core, workspace: frame, isLocked }), [core, frame, isLocked]);
}

/** Whether the form shows the discussion of its records. */
export function hasDiscussion({ hasChatter, form }: Arch): boolean {
  return hasChatter === true && form?.chatter !== false;
}

/** Edits that are being sent count as saved until they are rejected. */
export function useIsDirty({ form }: Pick<OpenForm, 'form'>): boolean {
  return useStorePart(form, needsSave);
}

/** A record that was just created keeps its form, although its URL changes. */
function belongs(core: FormCore, workspace: WorkspacePayload): boolean {
  const { model, id } = core.form.get();
  return model === workspace.model && (core.latest === workspace || id === workspace.recordId);
}

let lastKey = 0;

function hold(unsettled: FormCore['unsettled'], work: Promise<unknown>): void {
  const forget = () => unsettled.delete(ended);
  const ended = () => work.then(forget, forget);
  unsettled.add(ended);
  void ended();
}

function openForm(workspace: WorkspacePayload, { isPanel = false, parentValues }: FormOptions): FormCore {
  const form = createForm(workspace);
  if (!isPanel) restoreDraft(form, workspace);
  const onchange = createOnchange(form, workspace, parentValues);
  let isClosed = false;
  const core: FormCore = {
    form,
    key: ++lastKey,
    latest: workspace,
    unsettled: new Set(),
    hold: (work) => hold(core.unsettled, work),
    addLine: createStore<(() => void) | null>(null),
    set(name, value, shown) {
      form.set((now) => withEdit(now, name, value, shown));
      onchange.changed(name);
    },
    setLines(name, change) {
      form.set((now) => {
        const edit = now.edits[name];
        return withEdit(now, name, change(isLinesEdit(edit) ? edit : noLinesEdit));
      });
      onchange.changed(name);
    },
    async settle() {
      // What is settled may ask further questions.
      while (core.unsettled.size > 0) for (const settle of [...core.unsettled]) await settle();
      await onchange.flush();
    },
    async save() {
      await core.settle();
      const isSaved = await saveForm(form, core.latest);
      if (!isSaved && isClosed) tellRefused(form, core.latest);
      return isSaved;
    },
    discard() {
      dropDraft(form.get().model, form.get().id);
      form.set(freshState(core.latest));
      void fillNames(form, core.latest);
    },
    async reload() {
      const { model, id } = form.get();
      const paths = core.latest.arch.paths;
      const [record] = paths ? await read(model, [id], paths) : [];
      if (record) adoptRecord(form, record);
      expireModel(model);
    },
    begin: () => onchange.begin(),
    open() {
      isClosed = false;
    },
    close() {
      isClosed = true;
      onchange.close();
    },
  };
  return core;
}

/** The user left the form while it was saving: field errors are shown as a toast, and the edits are kept as a draft. */
function tellRefused(form: Form, { arch }: WorkspacePayload): void {
  const state = form.get();
  const why = Object.values(state.errors).flat().join(' ');
  const name = String(shownRecord(state).name ?? state.stored.display_name ?? arch.label);
  if (why !== '') showToast({ kind: 'error', title: t('{name} was not saved.', { name }), body: why });
}

/**
 * Saves with `saveAndPoint`, and calls `goOn` once the record is saved. A new record may be created later, when the
 * server is back.
 */
export function useSave(open: OpenForm, goOn: (wasNew: boolean) => unknown): () => Promise<boolean> {
  const id = useStorePart(open.form, (state) => state.id);
  const isHere = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the moment in which it gets its id.
  useEffect(() => {
    if (id > 0 && open.workspace.recordId === 0 && !isHere.current) void goOn(true);
  }, [id]);
  return async () => {
    const wasNew = open.form.get().id === 0;
    isHere.current = true;
    const isSaved = await saveAndPoint(open);
    if (isSaved) await goOn(wasNew);
    isHere.current = false;
    return isSaved;
  };
}

/** Saves, and focuses the first field with an error if it fails. */
export async function saveAndPoint(open: Pick<OpenForm, 'save' | 'form'>): Promise<boolean> {
  const isSaved = await open.save().catch((error: unknown) => {
    showError(error);
    return false;
  });
  if (!isSaved) pointAtProblem();
  return isSaved;
}

/** Focuses the first field with an error, once it is rendered. */
export function pointAtProblem(): void {
  requestAnimationFrame(() => requestAnimationFrame(focusProblem));
}

function focusProblem(): void {
  const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  within.querySelector<HTMLElement>('.form-bad [aria-invalid="true"], .form-bad input')?.focus();
}

const context = createContext<OpenForm | null>(null);

export const FormProvider = context.Provider;

export function useOpenForm(): OpenForm {
  const open = useContext(context);
  if (!open) throw new Error('This part of a form stands outside of one.');
  return open;
}
