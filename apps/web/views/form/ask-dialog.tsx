import { useEffect, useMemo, useRef, useState } from 'react';
import {
  type Arch,
  type ArchField,
  Button,
  Dialog,
  type Form,
  type FormState,
  fieldType,
  hasFeature,
  invalidFields,
  isSameValue,
  isToMany,
  missingFields,
  NamedIcon,
  NoMail,
  type OnchangeAnswer,
  type Panel,
  type RecordValues,
  rpc,
  Skeleton,
  showError,
  showFailure,
  t,
  toClientError,
  useStorePart,
  type Values,
  valueIn,
  type WorkspacePayload,
  withEdit,
} from '../../door/index.ts';
import { Notices } from './notices.tsx';
import { FormSheet } from './sheet.tsx';
import { FormProvider, pointAtProblem, useForm } from './use-form.ts';

type AskPanel = Extract<Panel, { kind: 'ask' }>;
type ChoicePanel = Extract<Panel, { kind: 'choice' }>;

interface DialogProps<P> {
  readonly panel: P;
  onClose(): void;
}

/** Asks for the values that an action needs, with defaults from the server, or only shows its warning. */
export function AskDialog({ panel, onClose }: DialogProps<AskPanel>) {
  const { model, ids, button } = panel;
  const [first, setFirst] = useState<OnchangeAnswer | null>(button.asks ? null : { value: {} });
  const closed = useRef(panel.onClosed);
  const finish: AskPanel['onClosed'] = (receipt) => {
    closed.current(receipt);
    closed.current = () => {};
    onClose();
  };
  // Leaving the screen cancels.
  useEffect(() => () => closed.current(null), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens.
  useEffect(() => {
    if (!button.asks) return;
    const kwargs = { action: button.name, active_ids: ids };
    rpc<OnchangeAnswer>({ model, method: 'onchange', args: [{}, []], kwargs }).then(setFirst, (error) => {
      showError(error);
      finish(null);
    });
  }, []);
  if (first) return <Questions panel={panel} first={first} onFinish={finish} />;
  return (
    <Dialog title={button.label} width={560} onClose={() => finish(null)}>
      <Skeleton width="60%" />
    </Dialog>
  );
}

interface QuestionsProps {
  readonly panel: AskPanel;
  readonly first: OnchangeAnswer;
  readonly onFinish: AskPanel['onClosed'];
}

function Questions({ panel, first, onFinish }: QuestionsProps) {
  const { button } = panel;
  const workspace = useMemo(() => askWorkspace(panel, first), [panel, first]);
  const open = useForm(workspace, { isPanel: true });
  const { form } = open;
  const [isRunning, setRunning] = useState(false);
  const isMute = button.mails === 'only' && !hasFeature('mail');
  useProposals(panel, first, open.form);
  const submit = async () => {
    const errors = { ...missingFields(form.get(), workspace.arch), ...invalidFields(form.get(), workspace.arch) };
    form.set((now) => ({ ...now, errors }));
    if (Object.keys(errors).length > 0) return pointAtProblem();
    setRunning(true);
    try {
      onFinish(await panel.call(answerTexts(form.get(), workspace.arch.fields)));
    } catch (error) {
      setRunning(false);
      showFailure(form, toClientError(error));
      pointAtProblem();
    }
  };
  return (
    <FormProvider value={open}>
      <Dialog
        title={button.label}
        width={button.asks ? 560 : 420}
        onClose={() => onFinish(null)}
        footer={
          <>
            <Button onClick={() => onFinish(null)}>{button.asks ? t('Cancel') : t('Back')}</Button>
            <Button
              kind={button.danger ? 'danger' : 'primary'}
              disabled={isRunning || isMute}
              onClick={() => void submit()}
            >
              {button.label}
            </Button>
          </>
        }
      >
        {button.mails && <NoMail />}
        {button.confirm && <p className="below-4">{button.confirm}</p>}
        <Notices />
        {button.asks && <FormSheet />}
      </Dialog>
    </FormProvider>
  );
}

/** A chosen record may propose other answers; those that somebody has typed stay. */
function useProposals({ model, ids, button }: AskPanel, first: OnchangeAnswer, form: Form): void {
  const proposed = useRef<Values>(first.value ?? {});
  const fields = button.asks?.fields ?? [];
  const choices = fields.filter(({ type }) => fieldType(type).isToOne).map(({ name }) => name);
  const chosen = useStorePart(form, (state) => JSON.stringify(choices.map((name) => valueIn(state, name) ?? null)));
  const before = useRef(chosen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice asks again.
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    const typed = fields.filter(({ name }) => !isSameValue(valueIn(form.get(), name), proposed.current[name]));
    const args = [answerTexts(form.get(), typed), []];
    const kwargs = { action: button.name, active_ids: ids };
    rpc<OnchangeAnswer>({ model, method: 'onchange', args, kwargs }).then(({ value = {} }) => {
      if (before.current !== chosen) return;
      proposed.current = { ...proposed.current, ...value };
      form.set((now) => Object.entries(value).reduce((state, [name, each]) => withEdit(state, name, each), now));
    }, showError);
  }, [chosen]);
}

/** The fields of the dialog as the form of a new record, which is never saved. */
function askWorkspace({ model, button }: AskPanel, { value, domain }: OnchangeAnswer): WorkspacePayload {
  const { fields: asked = [], children = [] } = button.asks ?? {};
  const fields = asked.map((field) => ({ ...field, ...(domain?.[field.name] && { domain: domain[field.name] }) }));
  const rights = { create: true, copy: false, write: true, unlink: false };
  const form = { stats: [], children, create: true, edit: true, delete: false, duplicate: false, chatter: false };
  const arch: Arch = {
    type: 'form',
    model,
    target: 'dialog',
    label: button.label,
    title: button.label,
    fields,
    header: { buttons: [] },
    search: { filters: [], fields: [], saved: [] },
    rights,
    hasActive: false,
    isTransient: true,
    hasChatter: false,
    form: { ...form, values: value },
  };
  return {
    arch,
    model,
    actionId: 0,
    menuId: '',
    viewType: 'form',
    recordId: 0,
    formEdit: true,
    csrfToken: '',
    records: [],
    viewTabs: [],
    breadcrumbs: [],
    listSearch: '',
    listTotal: 0,
    listSort: '',
    listOffset: 0,
    listFilter: '',
    formBaseQuery: '',
    defaults: {},
  };
}

/** The answers as `call` expects them: comma-separated ids, and empty strings for empty values. */
function answerTexts(state: FormState, fields: readonly ArchField[]): Readonly<Record<string, string>> {
  const answered = fields.filter(({ name, readonly }) => !readonly && Object.hasOwn(state.edits, name));
  return Object.fromEntries(answered.map((field) => [field.name, answerText(field, valueIn(state, field.name))]));
}

function answerText(field: ArchField, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isToMany(field)) return (value as readonly RecordValues[]).map(({ id }) => id).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Asks which of several moves to the same state is meant. */
export function ChoiceDialog({ panel, onClose }: DialogProps<ChoicePanel>) {
  const chosen = useRef(panel.onChosen);
  const finish: ChoicePanel['onChosen'] = (button) => {
    chosen.current(button);
    chosen.current = () => {};
    onClose();
  };
  useEffect(() => () => chosen.current(null), []);
  return (
    <Dialog
      title={panel.title}
      width={420}
      onClose={() => finish(null)}
      footer={<Button onClick={() => finish(null)}>{t('Cancel')}</Button>}
    >
      <div className="stack ask-choices">
        {panel.buttons.map((button, index) => (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: one move may have several variants.
            key={`${button.name}-${index}`}
            kind={button.danger ? 'danger' : 'default'}
            onClick={() => finish(button)}
          >
            {button.icon && <NamedIcon name={button.icon} />}
            {button.label}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
