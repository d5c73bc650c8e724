import {
  type Analysis,
  addDays,
  formatDate,
  formatFigure,
  formatShare,
  openRecords,
  type Period,
  t,
} from '../../door/index.ts';
import { amount } from './graph-data.ts';
import { today } from './places.ts';
import type { Graph } from './use-graph.ts';

interface HeadlineProps {
  readonly analysis: Analysis;
  readonly graph: Graph;
  readonly code: string | null;
  readonly onOpen: () => void;
}

/** The answer in figures, before the picture: the whole, what it was before, and how often the target was met. */
export function Headline({ analysis, graph, code, onOpen }: HeadlineProps) {
  const { data, choice, before, period } = graph;
  const { arch } = analysis.workspace;
  if (!data?.total) return null;
  if (choice.measures.length > 1) return <Wholes {...{ analysis, graph, code }} />;
  const figure = (value: typeof data.total.value) => formatFigure(arch, choice.measure, value, code);
  const base = amount(before);
  const share = base === 0 ? null : (amount(data.total) - base) / Math.abs(base);
  const met = targetsMet(graph);
  return (
    <dl className="line wrap graph-head">
      <div>
        <dt>
          {period
            ? t('{label}, {days}', { label: choice.measure.label, days: daysText(period) })
            : choice.measure.label}
        </dt>
        <dd>
          <button type="button" onClick={onOpen} title={t('Open the records')}>
            {figure(data.total.value)}
          </button>
        </dd>
      </div>
      {before && (
        <div className="mut">
          <dt>{analysis.compare === 'year' ? t('Previous year, same days') : t('Previous period, same days')}</dt>
          <dd>{figure(before.value)}</dd>
        </div>
      )}
      {before && share !== null && (
        <div>
          <dt>{t('Change')}</dt>
          <dd className={share < 0 ? 'graph-down' : 'graph-up'}>
            <span aria-hidden="true">{share < 0 ? '▾ ' : share > 0 ? '▴ ' : ''}</span>
            {formatShare(share, true)}
          </dd>
        </div>
      )}
      {met && (
        <div>
          <dt>{t('Target met')}</dt>
          <dd>{t('{n} of {all}', { n: met.met, all: met.all })}</dd>
        </div>
      )}
    </dl>
  );
}

/** What each of several measures comes to. */
function Wholes({ analysis, graph, code }: Omit<HeadlineProps, 'onOpen'>) {
  const { arch } = analysis.workspace;
  return (
    <dl className="line wrap graph-head">
      {graph.data?.series.map(({ key, measure, total }) => (
        <div key={key}>
          <dt>{measure.label}</dt>
          <dd>
            {total && (
              <button type="button" onClick={() => openRecords(analysis, total.domain)} title={t('Open the records')}>
                {formatFigure(arch, measure, total.value, code) || '–'}
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Places that are over; a month that runs can still make it. */
function targetsMet({ data, choice }: Graph): { readonly met: number; readonly all: number } | null {
  const { target, isRunning } = choice;
  if (target === null || !data) return null;
  const now = data.points.findIndex((point) => point.isRunning);
  const over = now < 0 ? data.points : data.points.slice(0, now);
  const met = over.filter(({ total }, at) => amount(total) >= target * (isRunning ? at + 1 : 1)).length;
  return { met, all: over.length };
}

/** As far as it has come: a year that runs is told up to today. */
function daysText({ from, to }: Period): string {
  const now = today();
  const last = now >= from && now < to ? now : addDays(to, -1);
  return from === last ? formatDate(from) : `${formatDate(from)} – ${formatDate(last)}`;
}
