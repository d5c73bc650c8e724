import { useRef, useState } from 'react';
import {
  type Analysis,
  Button,
  editNumber,
  formatShort,
  Icon,
  isAdditive,
  type MenuEntry,
  mark,
  NamedIcon,
  Pick,
  Popover,
  parseNumber,
  pickLook,
  Switch,
  SwitchButton,
  t,
  tn,
} from '../../door/index.ts';
import { type GraphChoice, type GraphKind, graphKinds } from './graph-choice.ts';

interface ChoicesProps {
  readonly analysis: Analysis;
  readonly choice: GraphChoice;
}

const looks: Readonly<Record<GraphKind, { readonly words: string; readonly icon: string }>> = {
  stacked: { words: 'Stacked bars', icon: 'chart-column-stacked' },
  bar: { words: 'Bars side by side', icon: 'chart-column' },
  line: { words: 'Lines', icon: 'chart-line' },
  area: { words: 'Areas', icon: 'chart-area' },
  pie: { words: 'Pie', icon: 'chart-pie' },
};

/** Options that only graphs have: the kind, the number of series, running totals and the target. */
export function GraphChoices({ analysis, choice }: ChoicesProps) {
  const { groupBy, change } = analysis;
  const isSeveral = choice.measures.length > 1;
  const isSplit = groupBy.length > 1 && !isSeveral;
  const kinds = graphKinds.filter((kind) => {
    if (isSeveral) return kind === 'bar' || kind === 'line';
    if (kind === 'stacked' || kind === 'area') return isAdditive(choice.measure) && (isSplit || kind === 'area');
    return true;
  });
  const now = !isSplit && choice.kind === 'stacked' ? 'bar' : choice.kind;
  return (
    <>
      <Switch label={t('Kind of graph')}>
        {kinds.map((kind) => (
          <SwitchButton
            key={kind}
            label={t(kind === 'bar' && !isSplit ? mark('Bars') : looks[kind].words)}
            isOn={kind === now}
            onClick={() => change({ options: { kind } })}
          >
            <NamedIcon name={looks[kind].icon} />
          </SwitchButton>
        ))}
      </Switch>
      <ShownPick analysis={analysis} choice={choice} />
      {choice.axis !== null && !isSeveral && <TargetPick {...{ analysis, choice }} />}
    </>
  );
}

const tops = [5, 10, 20];

function ShownPick({ analysis, choice }: ChoicesProps) {
  const { change, option } = analysis;
  const { split, isDateAxis, axis, canRun, isRunning, isBySize, top } = choice;
  const hasTop = split.length > 0 || !isDateAxis;
  const counts = hasTop
    ? tops.map(
        (count): MenuEntry => ({
          key: `top ${count}`,
          label: tn('The largest one and the rest', 'The largest {n} and the rest', count),
          isChecked: top === count,
          run: () => change({ options: { top: String(count) } }),
        }),
      )
    : [];
  const all: MenuEntry = {
    key: 'all',
    label: t('All'),
    isChecked: top === 0,
    run: () => change({ options: { top: 'all' } }),
  };
  const order: MenuEntry = {
    key: 'size',
    label: t('Largest first'),
    isChecked: isBySize,
    section: '',
    run: () => change({ options: { order: isBySize ? '' : 'size' } }),
  };
  const run: MenuEntry = {
    key: 'run',
    label: t('Cumulative over time'),
    isChecked: isRunning,
    section: '',
    run: () => change({ options: { running: option('running') === '1' ? '' : '1' } }),
  };
  const entries = [
    ...counts,
    ...(hasTop ? [all] : []),
    ...(axis !== null && !isDateAxis ? [order] : []),
    ...(canRun ? [run] : []),
  ];
  if (entries.length === 0) return null;
  const parts = [
    ...(hasTop ? [top === 0 ? t('All') : t('Top {n}', { n: top })] : []),
    ...(isRunning ? [t('Cumulative')] : []),
  ];
  return <Pick icon="list-filter" name={t('Show')} value={parts.join(', ') || t('Each')} entries={entries} />;
}

/** Sets a target line. */
function TargetPick({ analysis, choice }: ChoicesProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const { target } = choice;
  const value = target === null ? '' : formatShort(target);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={`${pickLook} outlined surface`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="target" size={14} className="dim" />
        <span className={target === null ? '' : 'sr-only'}>{t('Target')} </span>
        {target !== null && <b className="semi dots">{value}</b>}
      </button>
      {isOpen && (
        <Popover anchor={anchor} onClose={() => setOpen(false)}>
          <TargetForm
            target={target}
            onDone={(wanted) => {
              setOpen(false);
              analysis.change({ options: { target: wanted === null ? '' : String(wanted) } });
            }}
          />
        </Popover>
      )}
    </>
  );
}

function TargetForm({
  target,
  onDone,
}: {
  readonly target: number | null;
  readonly onDone: (target: number | null) => void;
}) {
  const [text, setText] = useState(editNumber(target));
  const number = parseNumber(text);
  return (
    <form
      className="stack pad-2 graph-target-form"
      role="dialog"
      aria-label={t('Target')}
      onSubmit={(event) => {
        event.preventDefault();
        if (number !== undefined) onDone(number);
      }}
    >
      <label className="stack gap-1 small mut">
        {t('For each point on the axis')}
        <input
          className="input num"
          inputMode="decimal"
          autoFocus
          value={text}
          aria-invalid={number === undefined || undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <div className="line gap-2">
        <Button kind="primary" type="submit">
          {t('Set')}
        </Button>
        {target !== null && <Button onClick={() => onDone(null)}>{t('Remove')}</Button>}
      </div>
    </form>
  );
}
