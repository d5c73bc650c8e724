import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import {
  type Arch,
  announce,
  entryOf,
  expireModel,
  fieldType,
  IconButton,
  invalidMessage,
  loadWorkspace,
  type RecordValues,
  rpc,
  sendChange,
  showError,
  t,
  toClientError,
  type Values,
  type WorkspacePayload,
  whileBusy,
  workspaceQuery,
  writtenValue,
} from '../../door/index.ts';
import { CellControl, CellProblem } from '../table/cell-control.tsx';
import type { Column } from '../table/columns.ts';
import { isEmptyValue, isRequiredCell } from './can-edit.ts';
import { useList } from './list-context.ts';

interface DraftRowProps {
  /** Counts the requests for a new record. */
  readonly asked: number;
  readonly onClose: () => void;
}

/** What was typed into a new row, and the names shown with it. */
interface Typed {
  readonly values: Values;
  readonly shown: Values;
}

/** A new record that is being saved, or that was rejected while the next one was typed. */
interface Sent extends Typed {
  readonly key: number;
  readonly problems: Problems | null;
}

type Problems = Readonly<Record<string, readonly string[]>>;

const nothing: Typed = { values: {}, shown: {} };

/**
 * A new record in the list itself. Enter saves it and starts the next; Escape closes it. The row appears before the
 * server answers; a rejected one comes back as typed, with the reason.
 */
export function DraftRow(props: DraftRowProps) {
  const { workspace, columns, actions } = useList();
  const draft = useDraft(props);
  const { record, problems, round, discard, send, goOn } = draft;
  const row = useRef<HTMLTableRowElement>(null);
  const firstBad = columns.find(({ name }) => problems[name]?.length);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      discard();
      actions.focus(0, 0);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (send()) goOn(true);
  };
  const onBlur = (event: FocusEvent) => {
    if (row.current?.contains(event.relatedTarget) || !document.hasFocus() || draft.isSent()) return;
    if (!draft.isFilled() || send()) goOn(false);
  };
  const onTheirWay = draft.sent.map((one) => <SentRow key={`sent-${one.key}`} record={draft.recordOf(one)} />);
  const isBelow = workspace.arch.list?.editable === 'bottom';
  return (
    <>
      {isBelow && onTheirWay}
      {draft.isOpen && (
        <tr key={round} ref={row} className="list-draft" onKeyDown={onKeyDown} onBlur={onBlur}>
          <td />
          {columns.map((column, at) => (
            <DraftCell
              key={column.name}
              column={column}
              record={record}
              hasFocus={at === firstEditable(columns)}
              problem={problems[column.name]?.[0] ?? ''}
              isFirstBad={firstBad === column}
              onChange={draft.change}
            />
          ))}
          <td className="list-end">
            <IconButton icon="x" label={t('Discard')} onClick={discard} />
          </td>
        </tr>
      )}
      {!isBelow && onTheirWay.reverse()}
    </>
  );
}

/** The row being typed, the rows being saved, and which of them is opened next. */
function useDraft({ asked, onClose }: DraftRowProps) {
  const { workspace, columns } = useList();
  const given = useGivenValues(workspace);
  const { typed, problems, round, isOpen, isFilled, open, close, change, setProblems } = useTyped();
  const { sent, create, takeRefused } = useSent(open, isFilled);
  const sentRound = useRef(-1);
  const isSent = () => sentRound.current === round;
  const start = given ?? workspace.defaults;
  const recordOf = ({ values, shown }: Typed): RecordValues => ({ id: 0, ...start, ...values, ...shown });
  const record = recordOf(typed);
  /** Rejected rows are opened first. */
  const goOn = (isNext: boolean) => {
    const refused = takeRefused();
    if (refused?.problems) open(refused, refused.problems);
    else if (isNext) open(nothing);
    else close();
  };
  useAskedAgain(asked, () => {
    if (!isOpen) open(nothing);
  });
  useEffect(() => {
    if (!isOpen && sent.length === 0) onClose();
  }, [isOpen, sent, onClose]);
  /** False: something is missing, or it was already sent. */
  const send = (): boolean => {
    if (isSent()) return false;
    // The server may still fill fields that nobody touched.
    const isKnown = ({ name }: Column) => given !== null || Object.hasOwn(typed.values, name);
    const wrong = problemsBefore(workspace.arch, columns, record, isKnown);
    setProblems(wrong);
    if (Object.keys(wrong).length > 0) return false;
    sentRound.current = round;
    void create({ ...typed, key: round, problems: null });
    return true;
  };
  const discard = () => {
    // The blur event of the removed row must not save again.
    sentRound.current = round;
    goOn(false);
  };
  return { record, recordOf, problems, round, isOpen, isFilled, isSent, sent, goOn, send, discard, change };
}

/** The row being typed; each new row is another round. */
function useTyped() {
  const [typed, setTyped] = useState<Typed>(nothing);
  const [problems, setProblems] = useState<Problems>({});
  const [round, setRound] = useState(0);
  const [isOpen, setOpen] = useState(true);
  const now = useRef({ typed, isOpen });
  now.current = { typed, isOpen };
  const isFilled = () => now.current.isOpen && Object.keys(now.current.typed.values).length > 0;
  /** Opens an empty row, or one that was rejected. */
  const open = ({ values, shown }: Typed, wrong: Problems = {}) => {
    setTyped({ values, shown });
    setProblems(wrong);
    setRound((count) => count + 1);
    setOpen(true);
  };
  const change = (name: string, value: unknown, more: Values = {}) => {
    setTyped(({ values, shown }) => ({ values: { ...values, [name]: value }, shown: { ...shown, ...more } }));
    setProblems(({ [name]: _gone, ...others }) => others);
  };
  return { typed, problems, round, isOpen, isFilled, open, close: () => setOpen(false), change, setProblems };
}

/** Skips the first request, which mounted the row. */
function useAskedAgain(asked: number, begin: () => void): void {
  const first = useRef(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another wish for a new record counts.
  useEffect(() => {
    if (first.current !== asked) begin();
  }, [asked]);
}

/** The defaults of a new record; null until the server sends them. */
function useGivenValues({ model, defaults }: WorkspacePayload): Values | null {
  const [given, setGiven] = useState<Values | null>(null);
  useEffect(() => {
    rpc<{ value: Values }>({ model, method: 'onchange', args: [defaults, []] }).then(
      ({ value }) => setGiven({ ...value, ...defaults }),
      () => {},
    );
  }, [model, defaults]);
  return given;
}

/** Missing and invalid values, as far as the client can tell. */
function problemsBefore(
  arch: Arch,
  columns: readonly Column[],
  record: RecordValues,
  isKnown: (column: Column) => boolean,
): Problems {
  const found = columns.flatMap((column) => {
    const { name, label, field } = column;
    const isMissing = isKnown(column) && isRequiredCell(arch, column, record) && isEmptyValue(record[name]);
    const problem = invalidMessage(field, record[name]) ?? (isMissing ? t('{label} is required.', { label }) : null);
    return problem ? [[name, [problem]] as const] : [];
  });
  return Object.fromEntries(found);
}

/** New records that are being saved. A rejected one is opened again, or waits until the current row is done. */
function useSent(open: (typed: Typed, wrong: Problems) => void, isFilled: () => boolean) {
  const { workspace, search, columns } = useList();
  const { model, defaults } = workspace;
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const now = useRef(sent);
  now.current = sent;
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const create = async (mine: Sent) => {
    const replace = (other: readonly Sent[]) =>
      setSent((all) => all.flatMap((one) => (one.key === mine.key ? other : one)));
    setSent((all) => [...all, mine]);
    try {
      const typed = Object.entries(mine.values).map(([name, value]) => {
        const field = workspace.arch.fields.find((one) => one.name === name);
        return [name, field ? writtenValue(field, value) : value];
      });
      await sendChange({ model, method: 'create', args: [{ ...defaults, ...Object.fromEntries(typed) }] });
      announce(t('Saved'));
      expireModel(model);
      await whileBusy(untilFresh(workspaceQuery(search)));
      replace([]);
    } catch (error) {
      if (!isHere.current) return showError(error);
      const wrong = problemsOf(error, columns[0]?.name ?? '');
      if (isFilled()) {
        showError(error);
        return replace([{ ...mine, problems: wrong }]);
      }
      replace([]);
      open(mine, wrong);
    }
  };
  const takeRefused = () => {
    const refused = now.current.find((one) => one.problems);
    if (refused) setSent((all) => all.filter((one) => one !== refused));
    return refused;
  };
  return { sent, create, takeRefused };
}

/** Waits until the list on screen is newer than the change. */
async function untilFresh(query: string): Promise<void> {
  // A request that was already running may return older data; then the list is loaded again.
  for (let turn = 0; turn < 2; turn++) {
    await loadWorkspace(query, { isQuiet: true });
    if (entryOf(query).get().loadedAt > 0) return;
  }
}

function problemsOf(error: unknown, first: string): Problems {
  const { fields, message } = toClientError(error);
  return Object.keys(fields).length > 0 ? fields : { [first]: [message] };
}

/** A saved record that the list does not contain yet. */
function SentRow({ record }: { readonly record: RecordValues }) {
  const { columns } = useList();
  return (
    <tr className="list-sent" aria-busy="true">
      <td />
      {columns.map((column) => (
        <ReadCell key={column.name} column={column} record={record} />
      ))}
      <td className="list-end" />
    </tr>
  );
}

function ReadCell({ column, record }: { readonly column: Column; readonly record: RecordValues }) {
  const { workspace } = useList();
  const { field, node, widget, name, isEnd } = column;
  return (
    <td className={`list-cell ${isEnd ? 'num' : ''}`}>
      <widget.Read {...{ field, node, record }} model={workspace.model} value={record[name] ?? null} place="list" />
    </td>
  );
}

interface DraftCellProps {
  readonly column: Column;
  readonly record: RecordValues;
  readonly hasFocus: boolean;
  readonly problem: string;
  readonly isFirstBad: boolean;
  readonly onChange: (name: string, value: unknown, shown?: Values) => void;
}

function DraftCell({ column, record, hasFocus, problem, isFirstBad, onChange }: DraftCellProps) {
  const { workspace } = useList();
  const { field, widget, name } = column;
  const cell = useRef<HTMLTableCellElement>(null);
  const id = useId();
  if (!widget.Edit || field.readonly) return <ReadCell column={column} record={record} />;
  return (
    <td ref={cell} className={`list-cell list-edit ${column.isEnd ? 'num' : ''}`}>
      <CellControl
        {...{ id, column, record, problem }}
        model={workspace.model}
        value={record[name] ?? null}
        place="list"
        hasAutoFocus={hasFocus}
        isRequired={isRequiredCell(workspace.arch, column, record)}
        onChange={(value, shown) => onChange(name, value, shown)}
      />
      {problem && isFirstBad && <CellProblem id={id} anchor={cell} problem={problem} onClose={() => {}} />}
    </td>
  );
}

function firstEditable(columns: readonly Column[]): number {
  const isEditable = ({ field, widget }: Column) => widget.Edit !== null && !field.readonly;
  const typed = columns.findIndex((column) => isEditable(column) && !fieldType(column.field.type).isBoolean);
  return typed < 0 ? columns.findIndex(isEditable) : typed;
}
