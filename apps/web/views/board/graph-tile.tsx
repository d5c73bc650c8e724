import { useMemo, useRef, useState } from 'react';
import {
  type Analysis,
  changeOf,
  comparedText,
  convertedText,
  FigureTable,
  formatFigure,
  type GraphArch,
  moneyText,
  openRecords,
  periodText,
  t,
  useAnalysis,
} from '../../door/index.ts';
import type { Active } from '../graph/chart.tsx';
import { graphChoice, isSplitByState } from '../graph/graph-choice.ts';
import { amount, changeAt, restKey, seriesColour } from '../graph/graph-data.ts';
import { Legend } from '../graph/legend.tsx';
import { graphSheet } from '../graph/sheet.ts';
import { Stage } from '../graph/stage.tsx';
import { type Graph, useGraph } from '../graph/use-graph.ts';
import { Change } from './change.tsx';
import { NothingHere } from './tile-states.tsx';
import { type TileProps, viewProps } from './tile-view.ts';
import '../graph/styles.css';

/** The graph of a tile, built from the data that came with it. */
export function useTileGraph(props: TileProps): { readonly analysis: Analysis; readonly graph: Graph } {
  const given = viewProps(props);
  const arch = given.workspace.arch.graph as GraphArch;
  const analysis = useAnalysis(given, arch);
  const choice = useMemo(() => graphChoice(analysis, arch), [analysis, arch]);
  return { analysis, graph: useGraph(analysis, choice) };
}

const nothingHidden: ReadonlySet<string> = new Set();
/** Up to this many groups are shown as labelled bars; more become a chart. */
const mostBars = 12;

/** Groups by date, and groups with a second level, become a chart; other groups become labelled bars. */
export function GraphTile(props: TileProps) {
  const { analysis, graph } = useTileGraph(props);
  const { data, choice } = graph;
  const [active, setActive] = useState<Active | null>(null);
  const [hidden, setHidden] = useState(nothingHidden);
  const drawing = useRef<SVGSVGElement>(null);
  const { codeOf } = graph;
  const code = codeOf(choice.measure);
  const sheet = useMemo(() => graphSheet(analysis, { data, choice, codeOf }), [analysis, data, choice, codeOf]);
  if (!data) return null;
  if (!data.total || data.total.count === 0) return <NothingHere />;
  const isBars = choice.kind === 'bar' || choice.kind === 'stacked';
  if (isBars && !choice.isDateAxis && choice.split.length === 0 && data.points.length <= mostBars) {
    return <Bars {...{ analysis, graph }} />;
  }
  const hasBefore = data.points.some(({ before }) => before !== null);
  const words = analysis.compare === 'year' ? t('Previous year') : t('Previous period');
  return (
    <div className="column fill tile-graph">
      <TileTotal {...{ analysis, graph }} />
      <Legend
        data={data}
        hidden={hidden}
        active={active?.series ?? -1}
        before={hasBefore ? words : null}
        onChange={setHidden}
      />
      <Stage {...{ analysis, graph, code, hidden, active, drawing }} onActive={setActive} label={props.tile.name} />
      {sheet && <FigureTable sheet={sheet} isHidden />}
    </div>
  );
}

interface DrawnProps {
  readonly analysis: Analysis;
  readonly graph: Graph;
}

/** The total and its change, above the chart. */
// Over 60 lines: the figures of one line, in the order in which they are read.
export function TileTotal({ analysis, graph }: DrawnProps) {
  const { data, choice, now, before, time, codeOf, others } = graph;
  const code = codeOf(choice.measure);
  const { arch } = analysis.workspace;
  if (!data?.total) return null;
  const converted = code && convertedText(analysis, graph.currency);
  if (isSplitByState(arch, choice)) {
    return (
      <p className="line wrap gap-2 rows-0 tile-whole">
        {converted && <span className="small mut">{converted}</span>}
        {data.series.map(({ key, label, total }) => (
          <button
            key={key}
            className="digits nowrap start accents"
            type="button"
            title={t('Open the records')}
            disabled={!total}
            onClick={() => total && openRecords(analysis, total.domain)}
          >
            {label} <b className="strong">{formatFigure(arch, choice.measure, total?.value ?? null, code) || '–'}</b>
          </button>
        ))}
      </p>
    );
  }
  const { value, domain } = data.total;
  const change = before && now && changeOf(amount(now), amount(before));
  // The total includes future days; the comparison does not.
  const soFar = before && now && now.value !== value ? time.soFar : null;
  return (
    <p className="line wrap baseline gap-2 rows-0 tile-whole">
      <button
        className="strong digits nowrap start accents"
        type="button"
        title={t('Open the records')}
        onClick={() => openRecords(analysis, domain)}
      >
        {formatFigure(arch, choice.measure, value, code)}
      </button>
      {others.length > 0 && <span className="strong digits nowrap">+ {moneyText(others)}</span>}
      {converted && <span className="small mut">{converted}</span>}
      {soFar && now && (
        <button
          className="small digits nowrap start accents"
          type="button"
          title={t('Open the records')}
          onClick={() => openRecords(analysis, now.domain)}
        >
          {t('{label}, {days}', {
            label: formatFigure(arch, choice.measure, now.value, code),
            days: periodText(soFar),
          })}
        </button>
      )}
      {before && change !== null && time.sameDays && (
        <span className="small mut digits tile-against" title={comparedText(analysis.compare, time.sameDays)}>
          <Change share={change} />{' '}
          {t('from {figure}, {days}', {
            figure: formatFigure(arch, choice.measure, before.value, code),
            days: periodText(time.sameDays),
          })}
        </span>
      )}
    </p>
  );
}

function Bars({ analysis, graph }: DrawnProps) {
  const { data, choice, time, codeOf, others } = graph;
  const code = codeOf(choice.measure);
  const { arch } = analysis.workspace;
  const converted = code && convertedText(analysis, graph.currency);
  const points = data?.points ?? [];
  // The rest can be larger than every bar that is shown: its bar is capped at the longest of them.
  const shown = points.filter(({ key }) => key !== restKey);
  const most = Math.max(...shown.map(({ total }) => Math.abs(amount(total))), 0);
  const hasBefore = points.some(({ before }) => before !== null);
  // Bars include future days; their changes do not.
  const soFar = points.some(({ now, total }) => now !== null && now?.value !== total?.value) ? time.soFar : null;
  return (
    <>
      <div className="container line fill">
        <ul className={`scroll-y stack gap-0 tile-bars fill ${hasBefore ? 'is-compared' : ''}`}>
          {points.map(({ key, label, total, now, earlier }, at) => (
            <li key={key}>
              <button
                type="button"
                className="start round-s hovers"
                disabled={!total}
                title={t('Open the records')}
                onClick={() => total && openRecords(analysis, total.domain)}
              >
                <span className="tile-bar-name cut">{label}</span>
                <span className="tile-bar" aria-hidden="true">
                  <i
                    className="block round-3 bg-current"
                    style={{
                      color: seriesColour(choice.isBySize ? 0 : at, key === restKey),
                      inlineSize: `${most === 0 ? 0 : Math.min(1, Math.abs(amount(total)) / most) * 100}%`,
                    }}
                  />
                </span>
                <span className="tile-bar-figure num medium nowrap">
                  {formatFigure(arch, choice.measure, total?.value ?? null, code) || '–'}
                </span>
                {hasBefore && <Change share={changeAt({ now, earlier })} />}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {hasBefore && time.sameDays && (
        <p className="small mut cut">
          {`${t('Difference')}: ${soFar ? `${periodText(soFar)}, ` : ''}${comparedText(analysis.compare, time.sameDays)}`}
        </p>
      )}
      {converted && <p className="small mut">{converted}</p>}
      {others.length > 0 && (
        <p className="small mut">{t('Not shown: {amounts} in other currencies.', { amounts: moneyText(others) })}</p>
      )}
    </>
  );
}
