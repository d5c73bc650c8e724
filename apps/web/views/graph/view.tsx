import { useEffect, useMemo, useRef, useState } from 'react';
import {
  AnalysisFrame,
  FigureTable,
  type GraphArch,
  mark,
  openRecords,
  t,
  useAnalysis,
  type ViewProps,
} from '../../door/index.ts';
import type { Active } from './chart.tsx';
import { GraphChoices } from './choices.tsx';
import { graphChoice, mostGroups, refusalOf } from './graph-choice.ts';
import { Headline } from './headline.tsx';
import { Legend } from './legend.tsx';
import { graphSheet } from './sheet.ts';
import { Stage } from './stage.tsx';
import { useGraph } from './use-graph.ts';
import './styles.css';

const nothingHidden: ReadonlySet<string> = new Set();
/** Above this, the hidden table costs more than it helps; the user can still switch to it. */
const mostHiddenCells = 1_000;

const refusals = {
  none: null,
  measures: mark('At most four measures'),
  units: mark('A graph has only two axes for amounts, counts and numbers'),
} as const;

/** Groups of records as bars, lines or a pie; every figure opens its records. */
// Over 60 lines: most of it is the props of the frame.
export function GraphView(props: ViewProps) {
  const arch = props.workspace.arch.graph as GraphArch;
  const analysis = useAnalysis(props, arch);
  const choice = useMemo(() => graphChoice(analysis, arch), [analysis, arch]);
  const graph = useGraph(analysis, choice);
  const { currency } = graph;
  const [hidden, setHidden] = useState(nothingHidden);
  const [active, setActive] = useState<Active | null>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const code = currency.code;
  const { data, choice: drawn } = graph;
  const { codeOf } = graph;
  const sheet = useMemo(() => graphSheet(analysis, { data, choice: drawn, codeOf }), [analysis, data, drawn, codeOf]);
  const shape = JSON.stringify([choice.kind, choice.axis, choice.split]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other groups have other parts.
  useEffect(() => {
    setHidden(nothingHidden);
    setActive(null);
  }, [shape]);
  const isTable = analysis.option('show') === 'table';
  const cells = sheet ? sheet.rows.length * sheet.head.length : 0;
  const hasBefore = data?.points.some(({ before }) => before !== null) === true;
  const beforeWords = analysis.compare === 'year' ? t('Previous year') : t('Previous period');
  return (
    <AnalysisFrame
      analysis={analysis}
      currency={currency}
      given={arch.measures}
      isSingleMeasure
      beside={choice.kind === 'pie' ? [] : choice.measures}
      refusal={(measure) => refusals[refusalOf(props.workspace.arch, choice.measures, measure) ?? 'none']}
      canCompare={choice.measures.length === 1}
      mostGroups={choice.measures.length > 1 ? 1 : mostGroups}
      choices={<GraphChoices {...{ analysis, choice }} />}
      sheet={sheet}
      drawing={drawing}
      hasTable
      isLoading={data === null}
      isStale={props.isLoading || (data !== null && graph.figures.isStale)}
      error={graph.figures.error}
      onRetry={graph.figures.retry}
    >
      <div className="column grow least-0 graph">
        <Headline
          analysis={analysis}
          graph={graph}
          code={code}
          onOpen={() => data?.total && openRecords(analysis, data.total.domain)}
        />
        {isTable && sheet ? (
          <FigureTable sheet={sheet} />
        ) : (
          data && (
            <>
              <Legend
                data={data}
                hidden={hidden}
                active={active?.series ?? -1}
                before={hasBefore ? beforeWords : null}
                onChange={setHidden}
              />
              <Stage
                {...{ analysis, graph, code, hidden, active, drawing }}
                onActive={setActive}
                label={sheet?.title ?? ''}
              />
              {sheet && cells <= mostHiddenCells && <FigureTable sheet={sheet} isHidden />}
            </>
          )
        )}
      </div>
    </AnalysisFrame>
  );
}
