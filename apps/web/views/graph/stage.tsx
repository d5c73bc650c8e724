import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Analysis, formatFigure, isRightToLeft, openRecords, readingKey, t, usePhone } from '../../door/index.ts';
import { type Active, Chart } from './chart.tsx';
import type { Cell } from './graph-data.ts';
import { type Layout, layoutOf, pointAt, seriesAt } from './layout.ts';
import { Pie, slicesOf } from './pie.tsx';
import { Tip } from './tip.tsx';
import type { Graph } from './use-graph.ts';

interface StageProps {
  readonly analysis: Analysis;
  readonly graph: Graph;
  readonly code: string | null;
  readonly hidden: ReadonlySet<string>;
  readonly active: Active | null;
  readonly onActive: (active: Active | null) => void;
  readonly label: string;
  readonly drawing: RefObject<SVGSVGElement | null>;
}

/** The chart, the tooltip of the active point, and keyboard and touch navigation between points. */
// Over 60 lines: pointer, keys and tooltip share the active point and the layout.
export function Stage(props: StageProps) {
  const { analysis, graph, code, hidden, active, onActive, label, drawing } = props;
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const isPhone = usePhone();
  const [top, setTop] = useState(0);
  const { data, choice } = graph;
  const isRtl = isRightToLeft();
  const layout = useMemo(
    () => (data && width > 0 ? layoutOf({ data, choice, hidden, width, height, isRtl }) : null),
    [data, choice, hidden, width, height, isRtl],
  );
  if (!data) return null;
  const isPie = choice.kind === 'pie';
  const isLine = choice.kind === 'line' || choice.kind === 'area';
  const open = (cell: Cell | null | undefined) => cell && openRecords(analysis, cell.domain);
  const cellAt = ({ point, series }: Active) => {
    if (isPie) return data.series[series]?.total;
    return data.series[series]?.cells[point] ?? data.points[point]?.total;
  };
  const move = (event: PointerEvent) => {
    if (!layout || isPie || !box.current) return;
    const area = box.current.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    const point = pointAt(layout, x);
    if (point < 0) return event.pointerType === 'mouse' && onActive(null);
    const series = seriesAt(layout, point, x, y, isLine);
    if (active?.point !== point) setTop(y);
    if (active?.point !== point || active.series !== series) onActive({ point, series });
  };
  const slices = isPie ? slicesOf(data, hidden).map(({ index }) => index) : [];
  const keys = isPie
    ? pieKeys(slices, active)
    : chartKeys(
        data.points.length,
        data.series.map(({ key }, at) => (hidden.has(key) ? -1 : at)).filter((at) => at >= 0),
        active,
      );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && active) {
      event.stopPropagation();
      return onActive(null);
    }
    if (event.key === 'Enter' && active && event.target === event.currentTarget) {
      event.preventDefault();
      return open(event.shiftKey ? data.points[active.point]?.total : cellAt(active));
    }
    const next = keys(readingKey(event.key));
    if (!next) return;
    event.preventDefault();
    setTop(0);
    onActive(next);
  };
  const total = formatFigure(analysis.workspace.arch, choice.measure, data.total?.value, code);
  return (
    <div
      className="anchor share graph-stage"
      onPointerLeave={(event) => event.pointerType === 'mouse' && onActive(null)}
    >
      <div
        ref={box}
        className="round-m pin cover graph-canvas"
        role="application"
        aria-roledescription={t('chart')}
        aria-label={t('{label}. Use the arrow keys to move between values and Enter to open the records.', { label })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows go from figure to figure, as in a grid.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => event.pointerType === 'mouse' && move(event)}
        onPointerUp={(event) => event.pointerType !== 'mouse' && move(event)}
        onClick={(event) => !isPie && isMouse(event.nativeEvent) && active && open(cellAt(active))}
      >
        {isPie && width > 0 ? (
          <Pie
            {...{ data, hidden, width, height, label, total }}
            ref={drawing}
            active={active?.series ?? -1}
            onPoint={(series) => onActive({ point: 0, series })}
            onOpen={(series) => open(data.series[series]?.total)}
          />
        ) : (
          layout && <Chart ref={drawing} {...{ data, choice, layout, active, label }} />
        )}
      </div>
      <p className="sr-only" role="status">
        {active && spoken(props, active)}
      </p>
      {active && layout && (
        <div
          className="scroll framed pin raised float screen-only graph-tip"
          style={isPhone ? undefined : tipPlace(layout, active, { top, isPie, isRtl })}
        >
          <Tip {...{ analysis, graph, hidden, active }} onOpen={open} />
        </div>
      )}
    </div>
  );
}

function isMouse(event: Event): boolean {
  return (event as globalThis.PointerEvent).pointerType === 'mouse';
}

function useSize(box: RefObject<HTMLDivElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    const measure = () => setSize({ width: Math.floor(element.clientWidth), height: Math.floor(element.clientHeight) });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

type KeyMove = (key: string) => Active | null;

function chartKeys(points: number, series: readonly number[], active: Active | null): KeyMove {
  return (key) => {
    const { point, series: part } = active ?? { point: -1, series: -1 };
    const at = series.indexOf(part);
    switch (key) {
      case 'ArrowRight':
        return { point: Math.min(points - 1, point + 1), series: part };
      case 'ArrowLeft':
        return { point: active ? Math.max(0, point - 1) : points - 1, series: part };
      case 'Home':
        return { point: 0, series: part };
      case 'End':
        return { point: points - 1, series: part };
      case 'ArrowUp':
        return { point: Math.max(0, point), series: series[Math.min(series.length - 1, at + 1)] ?? -1 };
      case 'ArrowDown':
        return { point: Math.max(0, point), series: series[at - 1] ?? -1 };
      default:
        return null;
    }
  };
}

function pieKeys(slices: readonly number[], active: Active | null): KeyMove {
  return (key) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (step === undefined || slices.length === 0) return null;
    const at = active ? slices.indexOf(active.series) + step : 0;
    return { point: 0, series: slices[(at + slices.length) % slices.length] as number };
  };
}

/** The screen reader text of the active point. */
function spoken({ analysis, graph }: StageProps, { point, series }: Active): string {
  const { data, choice } = graph;
  const part = data?.series[series];
  const place = data?.points[point];
  const cell = choice.kind === 'pie' ? part?.total : part ? part.cells[point] : place?.total;
  const figure =
    formatFigure(
      analysis.workspace.arch,
      part?.measure ?? choice.measure,
      cell?.value,
      graph.codeOf(part?.measure ?? choice.measure),
    ) || '–';
  const names = [choice.kind === 'pie' ? '' : place?.label, data && data.series.length > 1 ? part?.label : ''];
  return `${names.filter(Boolean).join(', ')}: ${figure}`;
}

const tipWidth = 272;

/** Next to the point, so that the pointer can move onto the tooltip; on the other side if there is no room. */
function tipPlace(
  layout: Layout,
  { point }: Active,
  { top, isPie, isRtl }: { readonly top: number; readonly isPie: boolean; readonly isRtl: boolean },
): { readonly left: number; readonly top: number } {
  if (isPie) return { left: isRtl ? 8 : Math.max(8, layout.width - tipWidth - 8), top: 16 };
  const band = layout.bands[point];
  if (!band) return { left: 0, top: 0 };
  const right = band.x + band.width;
  const left = right + tipWidth < layout.width ? right : band.x - tipWidth;
  const most = Math.max(0, layout.height - 330);
  return { left: Math.max(0, Math.min(left, layout.width - tipWidth)), top: Math.max(0, Math.min(top - 160, most)) };
}
