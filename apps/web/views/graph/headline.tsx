import {
  type Analysis,
  changeOf,
  comparedText,
  formatFigure,
  formatShare,
  moneyText,
  openRecords,
  type Period,
  periodText,
  t,
} from '../../door/index.ts';
import { isSplitByState } from './graph-choice.ts';
import { amount, type Cell } from './graph-data.ts';
import type { Graph } from './use-graph.ts';

interface HeadlineProps {
  readonly analysis: Analysis;
  readonly graph: Graph;
  readonly code: string | null;
  readonly onOpen: () => void;
}

/** The figures above the chart: the total, its change, and how often the target was met. */
export function Headline({ analysis, graph, code, onOpen }: HeadlineProps) {
  const { data, choice, time, now, before } = graph;
  const { arch } = analysis.workspace;
  if (!data?.total) return null;
  if (choice.measures.length > 1 || isSplitByState(arch, choice)) return <Wholes {...{ analysis, graph }} />;
  const figure = (cell: Cell) => formatFigure(arch, choice.measure, cell.value, code);
  const { label } = choice.measure;
  const named = (days: Period | null) => (days ? t('{label}, {days}', { label, days: periodText(days) }) : label);
  const change = before && now && changeOf(amount(now), amount(before));
  // The total includes future days; the comparison does not.
  const isPlanned = before !== null && time.soFar !== null && now?.value !== data.total.value;
  const met = targetsMet(graph);
  return (
    <dl className="line wrap graph-head">
      <div>
        <dt className="small mut">{named(before && !isPlanned ? (time.soFar ?? time.period) : time.period)}</dt>
        <dd className="strong digits nowrap">
          <button type="button" className="accents" onClick={onOpen} title={t('Open the records')}>
            {figure(data.total)}
          </button>
        </dd>
      </div>
      {graph.others.length > 0 && (
        <div className="mut">
          <dt className="small mut">{t('In other currencies')}</dt>
          <dd className="medium digits nowrap">{moneyText(graph.others)}</dd>
        </div>
      )}
      {isPlanned && now && (
        <div>
          <dt className="small mut">{named(time.soFar)}</dt>
          <dd className="strong digits nowrap">
            <button
              type="button"
              className="accents"
              onClick={() => openRecords(analysis, now.domain)}
              title={t('Open the records')}
            >
              {figure(now)}
            </button>
          </dd>
        </div>
      )}
      {before && time.sameDays && (
        <div className="mut">
          <dt className="small mut">{comparedText(analysis.compare, time.sameDays)}</dt>
          <dd className="medium digits nowrap">{figure(before)}</dd>
        </div>
      )}
      {change !== null && <Change share={change} />}
      {met && (
        <div>
          <dt className="small mut">{t('Target met')}</dt>
          <dd className="strong digits nowrap">{t('{n} of {all}', { n: met.met, all: met.all })}</dd>
        </div>
      )}
    </dl>
  );
}

function Change({ share }: { readonly share: number }) {
  return (
    <div>
      <dt className="small mut">{t('Difference')}</dt>
      <dd className={`strong digits nowrap ${share < 0 ? 'bad graph-down' : 'ok graph-up'}`}>
        <span aria-hidden="true">{share < 0 ? '▾ ' : share > 0 ? '▴ ' : ''}</span>
        {formatShare(share, true)}
      </dd>
    </div>
  );
}

/** The total of each of several measures, or of each state. */
function Wholes({ analysis, graph }: Omit<HeadlineProps, 'onOpen' | 'code'>) {
  const { arch } = analysis.workspace;
  const isSplit = isSplitByState(arch, graph.choice);
  return (
    <dl className="line wrap graph-head">
      {graph.data?.series.map(({ key, label, measure, total }) => (
        <div key={key}>
          <dt className="small mut">{isSplit ? label : measure.label}</dt>
          <dd className="strong digits nowrap">
            {total && (
              <button
                type="button"
                className="accents"
                onClick={() => openRecords(analysis, total.domain)}
                title={t('Open the records')}
              >
                {formatFigure(arch, measure, total.value, graph.codeOf(measure)) || '–'}
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Counts only past periods: the current one can still reach the target, and future ones have not begun. */
function targetsMet({ data, choice }: Graph): { readonly met: number; readonly all: number } | null {
  const { target, isRunning, isDateAxis } = choice;
  if (target === null || !data) return null;
  const over = isDateAxis ? data.points.filter(({ isOver }) => isOver) : data.points;
  const met = over.filter(({ total }, at) => amount(total) >= target * (isRunning ? at + 1 : 1)).length;
  return { met, all: over.length };
}
