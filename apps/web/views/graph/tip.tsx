import { type Analysis, formatFigure, formatShare, isAdditive, t, tn } from '../../door/index.ts';
import type { Active } from './chart.tsx';
import { isSplitByState } from './graph-choice.ts';
import { amount, type Cell, changeAt, type Series } from './graph-data.ts';
import type { Graph } from './use-graph.ts';
import './tip.css';

interface TipProps {
  readonly analysis: Analysis;
  readonly graph: Graph;
  readonly hidden: ReadonlySet<string>;
  readonly active: Active;
  readonly onOpen: (cell: Cell) => void;
}

/** All figures of one point: its series, their shares, the total and the comparison. */
// Over 60 lines: each row of the tooltip uses several of the same derived values.
export function Tip({ analysis, graph, hidden, active, onOpen }: TipProps) {
  const { data, choice } = graph;
  const point = data?.points[active.point];
  if (!data || !point) return null;
  const isPie = choice.kind === 'pie';
  const text = (cell: Cell | null, measure = choice.measure) =>
    formatFigure(analysis.workspace.arch, measure, cell?.value ?? null, graph.codeOf(measure));
  const isSeveral = choice.measures.length > 1;
  const cellOf = (series: Series) => (isPie ? series.total : (series.cells[active.point] ?? null));
  const parts = data.series.flatMap((series, index) =>
    hidden.has(series.key) || !cellOf(series) ? [] : [{ series, index }],
  );
  const hasParts = data.series.length > 1;
  const marked = data.series[active.series];
  const part = marked ? cellOf(marked) : null;
  // Won and lost are not added.
  const hasTotal = !isSeveral && !isSplitByState(analysis.workspace.arch, choice);
  const hasShares = hasTotal && isAdditive(choice.measure) && amount(point.total) > 0;
  return (
    <>
      <div className="line apart gap-2 normal graph-tip-head">
        <b className="semi">{point.label}</b>
        {point.total && <span className="small dim nowrap">{tn('{n} record', '{n} records', point.total.count)}</span>}
      </div>
      {hasParts && (
        <ul>
          {(isPie ? parts : [...parts].reverse()).slice(0, 12).map(({ series, index }) => (
            <li
              key={series.key}
              className={`stack level graph-tip-line ${index === active.series ? 'is-active tinted semi' : ''}`}
            >
              <i className="rigid round-3 square-10 bg-current" style={{ color: series.colour }} aria-hidden="true" />
              <span className="cut">{series.label}</span>
              <span className="num">{text(cellOf(series), series.measure)}</span>
              <span className={`num small ${index === active.series ? 'ink' : 'dim'}`}>
                {hasShares && formatShare(amount(cellOf(series)) / amount(point.total))}
              </span>
            </li>
          ))}
        </ul>
      )}
      <dl className={`stack ${hasParts ? 'above-1h topped' : ''}`}>
        {hasTotal && (
          <div className="line apart gap-3 strong ink graph-tip-total">
            <dt>{isAdditive(choice.measure) ? t('Total') : choice.measure.label}</dt>
            <dd className="digits">{text(point.total) || '–'}</dd>
          </div>
        )}
        {hasTotal && point.before && (
          <div className="line apart gap-3 mut">
            <dt>{point.isRunning ? t('{label}, same days', { label: point.before.label }) : point.before.label}</dt>
            <dd className="digits">
              {text(point.isRunning ? point.earlier : point.before) || '–'} <Change share={changeAt(point)} />
            </dd>
          </div>
        )}
        {hasTotal && choice.target !== null && point.total && <TargetLine {...{ graph, active, text }} />}
      </dl>
      <div className="line apart topped graph-tip-foot">
        {point.total && (
          <button className="accent semi underlines" type="button" onClick={() => onOpen(point.total as Cell)}>
            {tn('Open {n} record', 'Open {n} records', point.total.count)}
          </button>
        )}
        {hasParts && !isSeveral && part && part.count > 0 && marked && (
          <button type="button" className="mut small regular cut underlines is-quiet" onClick={() => onOpen(part)}>
            {tn('{n} of {label}', '{n} of {label}', part.count, { label: marked.label })}
          </button>
        )}
      </div>
    </>
  );
}

function Change({ share }: { readonly share: number | null }) {
  if (share === null) return null;
  return <b className={`semi ${share < 0 ? 'bad graph-down' : 'ok graph-up'}`}>{formatShare(share, true)}</b>;
}

interface TargetLineProps {
  readonly graph: Graph;
  readonly active: Active;
  readonly text: (cell: Cell) => string;
}

function TargetLine({ graph, active, text }: TargetLineProps) {
  const { choice, data } = graph;
  const total = data?.points[active.point]?.total;
  if (!total) return null;
  const target = (choice.target ?? 0) * (choice.isRunning ? active.point + 1 : 1);
  const gap = Math.round((amount(total) - target) * 100) / 100;
  return (
    <div className="line apart gap-3 mut">
      <dt>{gap < 0 ? t('Below the target') : t('Over the target')}</dt>
      <dd className="digits">{text({ ...total, value: Math.abs(gap) })}</dd>
    </div>
  );
}
