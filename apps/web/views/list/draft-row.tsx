import { fieldType } from '@kontor/protocol';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { sendChange, showError } from '../../data/changes.ts';
import { toClientError } from '../../data/client-error.ts';
import { invalidMessage } from '../../data/form/invalid-values.ts';
import { type RecordValues, rpc, type Values } from '../../data/rpc.ts';
import { announce } from '../../data/toasts.ts';
import { loadWorkspace } from '../../data/workspace.ts';
import { entryOf, expireModel } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import { workspaceQuery } from '../../search/search-state.ts';
import { whileBusy } from '../../state/idle.ts';
import { IconButton } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { Column } from '../table/columns.ts';
import { isEmptyValue, isRequiredCell } from './can-edit.ts';
import { useList } from './list-context.ts';

interface DraftRowProps {
  /** Counts how often a new record was asked for. */
  readonly asked: number;
  readonly onClose: () => void;
}

/** What was typed into a new row, and what is shown with it. */
interface Typed {
  readonly values: Values;
  readonly shown: Values;
}

/** A new record that is on its way, or that was refused while the next one was typed. */
interface Sent extends Typed {
  readonly key: number;
  readonly problems: Problems | null;
}

type Problems = Readonly<Record<string, readonly string[]>>;

const nothing: Typed = { values: {}, shown: {} };

/**
 * A new record in the list itself. Enter saves it and starts the next; Escape leaves it. What was entered stands in the list before the answer
 * comes; what is refused comes back as it was typed, with the reason.
 */
export function DraftRow({ asked, onClose }: DraftRowProps) {
  const { workspace, search, columns, actions } = useList();
  const { model, arch, defaults } = workspace;
  /** Null until the server has said what a new record begins with. */
  const [given, setGiven] = useState<Values | null>(null);
  const [typed, setTyped] = useState<Typed>(nothing);
  const [problems, setProblems] = useState<Problems>({});
  const [round, setRound] = useState(0);
  const [isOpen, setOpen] = useState(true);
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const row = useRef<HTMLTableRowElement>(null);
  const sentRound = useRef(-1);
  const isHere = useRef(true);
  const now = useRef({ typed, isOpen, sent });
  now.current = { typed, isOpen, sent };
  const recordOf = ({ values, shown }: Typed): RecordValues => ({ id: 0, ...(given ?? defaults), ...values, ...shown });
  const record = recordOf(typed);
  const firstBad = columns.find(({ name }) => problems[name]?.length);
  useEffect(() => {
    rpc<{ value: Values }>({ model, method: 'onchange', args: [defaults, []] }).then(
      ({ value }) => setGiven({ ...value, ...defaults }),
      () => {},
    );
  }, [model, defaults]);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  /** An empty row, or one that was refused. */
  const open = ({ values, shown }: Typed, wrong: Problems = {}) => {
    setTyped({ values, shown });
    setProblems(wrong);
    setRound((count) => count + 1);
    setOpen(true);
  };
  /** What was refused meanwhile is looked at first. */
  const goOn = (isNext: boolean) => {
    const [refused] = now.current.sent.filter((one) => one.problems);
    if (refused) setSent((all) => all.filter((one) => one !== refused));
    if (refused?.problems) open(refused, refused.problems);
    else if (isNext) open(nothing);
    else setOpen(false);
  };
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another wish for a new record counts.
  useEffect(() => {
    if (!isFirst.current && !now.current.isOpen) open(nothing);
    isFirst.current = false;
  }, [asked]);
  useEffect(() => {
    if (!isOpen && sent.length === 0) onClose();
  }, [isOpen, sent, onClose]);
  const create = async (mine: Sent) => {
    const replace = (other: readonly Sent[]) =>
      setSent((all) => all.flatMap((one) => (one.key === mine.key ? other : one)));
    try {
      await sendChange({ model, method: 'create', args: [{ ...defaults, ...mine.values }] });
      announce(t('Saved'));
      expireModel(model);
      await whileBusy(untilFresh(workspaceQuery(search)));
      replace([]);
    } catch (error) {
      if (!isHere.current) return showError(error);
      const wrong = problemsOf(error, columns[0]?.name ?? '');
      if (now.current.isOpen && Object.keys(now.current.typed.values).length > 0) {
        showError(error);
        return replace([{ ...mine, problems: wrong }]);
      }
      replace([]);
      open(mine, wrong);
    }
  };
  /** False: something is missing, or it was sent already. */
  const send = (): boolean => {
    if (sentRound.current === round) return false;
    // What nobody touched may still be filled by the server.
    const isKnown = ({ name }: Column) => given !== null || Object.hasOwn(typed.values, name);
    const missing = columns.filter(
      (column) => isKnown(column) && isRequiredCell(arch, column, record) && isEmptyValue(record[column.name]),
    );
    const invalid = columns.flatMap(({ name, field }) => {
      const problem = invalidMessage(field, record[name]);
      return problem ? [[name, [problem]] as const] : [];
    });
    if (missing.length + invalid.length > 0) {
      const asked = missing.map(({ name, label }) => [name, [t('{label} is required.', { label })]] as const);
      setProblems(Object.fromEntries([...asked, ...invalid]));
      return false;
    }
    sentRound.current = round;
    const mine: Sent = { ...typed, key: round, problems: null };
    setSent((all) => [...all, mine]);
    void create(mine);
    return true;
  };
  const discard = () => {
    // The blur of what is taken away saves nothing.
    sentRound.current = round;
    goOn(false);
  };
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
  const onBlur = (event: React.FocusEvent) => {
    if (row.current?.contains(event.relatedTarget) || !document.hasFocus() || sentRound.current === round) return;
    if (Object.keys(typed.values).length === 0 || send()) goOn(false);
  };
  const change = (name: string, value: unknown, more: Values = {}) => {
    setTyped(({ values, shown }) => ({ values: { ...values, [name]: value }, shown: { ...shown, ...more } }));
    setProblems(({ [name]: _gone, ...others }) => others);
  };
  const onTheirWay = sent.map((one) => <SentRow key={`sent-${one.key}`} record={recordOf(one)} />);
  const isBelow = arch.list?.editable === 'bottom';
  return (
    <>
      {isBelow && onTheirWay}
      {isOpen && (
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
              onChange={change}
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

/** Until the list on screen is younger than the change. */
async function untilFresh(query: string): Promise<void> {
  // One that was under way before may be older; then it is asked for again.
  for (let turn = 0; turn < 2; turn++) {
    await loadWorkspace(query, { isQuiet: true });
    if (entryOf(query).get().loadedAt > 0) return;
  }
}

function problemsOf(error: unknown, first: string): Problems {
  const { fields, message } = toClientError(error);
  return Object.keys(fields).length > 0 ? fields : { [first]: [message] };
}

/** A record that the list does not have yet. */
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
  const { field, node, widget, label, name } = column;
  const cell = useRef<HTMLTableCellElement>(null);
  const id = useId();
  const Edit = widget.Edit;
  if (!Edit || field.readonly) return <ReadCell column={column} record={record} />;
  return (
    <td ref={cell} className={`list-cell list-edit ${column.isEnd ? 'num' : ''}`}>
      <Edit
        {...{ id, label, field, node, record }}
        model={workspace.model}
        value={record[name] ?? null}
        place="list"
        hasAutoFocus={hasFocus}
        isRequired={isRequiredCell(workspace.arch, column, record)}
        isInvalid={problem !== ''}
        describedBy={problem ? `${id}-problem` : undefined}
        domain={node.domain}
        onChange={(value, shown) => onChange(name, value, shown)}
      />
      {problem && isFirstBad && (
        <Popover anchor={cell} mode="manual" onClose={() => {}} className="list-problem">
          <p id={`${id}-problem`} role="alert">
            {problem}
          </p>
        </Popover>
      )}
    </td>
  );
}

function firstEditable(columns: readonly Column[]): number {
  const isEditable = ({ field, widget }: Column) => widget.Edit !== null && !field.readonly;
  const typed = columns.findIndex((column) => isEditable(column) && !fieldType(column.field.type).isBoolean);
  return typed < 0 ? columns.findIndex(isEditable) : typed;
}
