import { memo, type Ref, useId } from 'react';
import { formatShort, isRightToLeft, t } from '../../door/index.ts';
import type { GraphChoice } from './graph-choice.ts';
import { amount, type GraphData } from './graph-data.ts';
import type { Box, Layout } from './layout.ts';
import { areaPath, barPath, barsPath, linePath } from './shapes.ts';

export interface Active {
  readonly point: number;
  /** -1: all series of the point. */
  readonly series: number;
}

interface ChartProps {
  readonly data: GraphData;
  readonly choice: GraphChoice;
  readonly layout: Layout;
  readonly active: Active | null;
  readonly label: string;
  readonly ref: Ref<SVGSVGElement>;
}

/**
 * Two layers: the highlight that follows the pointer is drawn separately, so that thousands of bars are not painted
 * again.
 */
export function Chart({ data, choice, layout, active, label, ref }: ChartProps) {
  return (
    <>
      <Drawing ref={ref} {...{ data, choice, layout, label }} />
      {active && <Pointed {...{ data, choice, layout, active }} />}
    </>
  );
}

function Pointed({ data, choice, layout, active }: DrawingProps & { readonly active: Active }) {
  const { width, height, bands, plot } = layout;
  const band = bands[active.point];
  const point = data.points[active.point];
  if (!band || !point) return null;
  const centre = band.x + band.width / 2;
  const room = point.short.length * letterWidth + 12;
  const below = plot.y + plot.height;
  return (
    <svg
      className="block spill graph-svg pin cover pass graph-pointed"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <rect
        className="graph-band"
        x={band.x}
        y={band.y - 14}
        width={Math.max(1, band.width)}
        height={band.height + 44}
        rx={Math.min(8, band.width / 3)}
      />
      <Marked {...{ data, choice, layout, active }} />
      {room > band.width && (
        <rect className="graph-name-ground" x={centre - room / 2} y={below + 6} width={room} height={20} rx={4} />
      )}
      <text className="graph-name is-active" x={centre} y={below + 20} textAnchor="middle">
        {point.short}
      </text>
    </svg>
  );
}

interface DrawingProps {
  readonly data: GraphData;
  readonly choice: GraphChoice;
  readonly layout: Layout;
}

/** The layer that does not change while the pointer moves. */
const Drawing = memo(function Drawing({ data, choice, layout, label, ref }: Omit<ChartProps, 'active'>) {
  const { plot, ghosts, zero, width, height } = layout;
  const isLine = choice.kind === 'line' || choice.kind === 'area';
  const [left, right] = [plot.x, plot.x + plot.width];
  return (
    <svg
      ref={ref}
      className="block spill graph-svg graph-base"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <Ticks layout={layout} />
      {isLine ? (
        <path className="stroked graph-before-line" d={linePath(ghosts)} />
      ) : (
        <path className="graph-before" d={barsPath(ghosts, () => true, false)} />
      )}
      {data.series.map((series, index) => (
        <SeriesShape key={series.key} {...{ data, choice, layout, index }} />
      ))}
      <line className="graph-zero" x1={left} x2={right} y1={zero} y2={zero} />
      <Target {...{ data, choice, layout }} />
      <Labels data={data} layout={layout} />
    </svg>
  );
});

function Ticks({ layout: { plot, ticks, asideTicks } }: Pick<ChartProps, 'layout'>) {
  const [left, right] = [plot.x, plot.x + plot.width];
  return (
    <>
      {ticks.map(({ value, y }) => (
        <g key={value}>
          <line className={value === 0 ? 'graph-zero' : 'graph-grid'} x1={left} x2={right} y1={y} y2={y} />
          <text x={isRightToLeft() ? right + 8 : left - 8} y={y + 4} textAnchor={isRightToLeft() ? 'start' : 'end'}>
            {formatShort(value)}
          </text>
        </g>
      ))}
      {asideTicks.map(({ value, y }) => (
        <text
          key={value}
          className="graph-aside"
          x={isRightToLeft() ? left - 8 : right + 8}
          y={y + 4}
          textAnchor={isRightToLeft() ? 'end' : 'start'}
        >
          {formatShort(value)}
        </text>
      ))}
    </>
  );
}

/** A dashed line at the target, with its label at the end. */
function Target({ data, choice, layout: { target } }: DrawingProps) {
  const end = target.at(-1);
  if (!end) return null;
  const words = {
    x: isRightToLeft() ? end[0] - 6 : end[0] + 6,
    textAnchor: isRightToLeft() ? 'end' : 'start',
  } as const;
  return (
    <>
      <path className="stroked bad graph-target" d={`M${target.map(([x, y]) => `${x} ${y}`).join('L')}`} />
      <g className="graph-target-label">
        <text {...words} y={end[1] - 2}>
          {t('Target')}
        </text>
        <text {...words} y={end[1] + 12}>
          {formatShort((choice.target ?? 0) * (choice.isRunning ? data.points.length : 1))}
        </text>
      </g>
    </>
  );
}

function SeriesShape({ data, choice, layout, index }: DrawingProps & { readonly index: number }) {
  const color = data.series[index]?.colour;
  const boxes = layout.boxes[index] ?? [];
  const isStacked = choice.kind === 'stacked';
  if (choice.kind === 'line') {
    const isSparse = boxes.length <= 60;
    return (
      <g>
        <path className="stroked graph-line" style={{ color }} d={linePath(boxes)} />
        {isSparse &&
          boxes.map(
            (box, at) =>
              box && (
                <circle
                  key={data.points[at]?.key}
                  className="graph-dot"
                  style={{ color }}
                  cx={box.x}
                  cy={box.y}
                  r={3}
                />
              ),
          )}
      </g>
    );
  }
  if (choice.kind === 'area') return <path className="graph-area" style={{ color }} d={areaPath(boxes)} />;
  const isRunning = (at: number) => data.points[at]?.isRunning === true;
  const running = barsPath(boxes, isRunning, isStacked);
  return (
    <>
      <path className="graph-fill" style={{ color }} d={barsPath(boxes, (at) => !isRunning(at), isStacked)} />
      {running !== '' && <RunningBar d={running} color={color} />}
    </>
  );
}

/** Hatched, so that a month that is not over does not look like a drop. */
function RunningBar({ d, color }: { readonly d: string; readonly color: string | undefined }) {
  const id = useId();
  return (
    <>
      <pattern
        id={id}
        style={{ color }}
        width={5}
        height={5}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect className="graph-hatch-ground" width={5} height={5} />
        <rect className="graph-fill" width={2} height={5} />
      </pattern>
      <path className="graph-running" d={d} style={{ color, fill: `url(#${id})` }} />
    </>
  );
}

/** Outlines the series under the pointer; the other series of the point are paler. */
function Marked({ data, choice, layout, active }: DrawingProps & { readonly active: Active }) {
  const box = layout.boxes[active.series]?.[active.point];
  const color = data.series[active.series]?.colour;
  if (!box || color === undefined) return null;
  if (choice.kind === 'line' || choice.kind === 'area') {
    return <circle className="graph-mark" style={{ color }} cx={box.x} cy={box.y} r={5} />;
  }
  const others = layout.boxes.flatMap((row) => row[active.point] ?? []);
  const all = boundsOf(others);
  return (
    <g>
      <rect className="graph-veil" x={all.x} y={all.y} width={all.width} height={all.height} />
      <path className="graph-fill" style={{ color }} d={barPath(box, choice.kind === 'stacked')} />
      <rect
        className="stroked graph-ring"
        x={box.x - 2}
        y={box.y - 1}
        width={box.width + 4}
        height={box.height + 3}
        rx={4}
      />
    </g>
  );
}

function boundsOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

const letterWidth = 6.4;

/** Axis labels, as many as fit, and totals above the bars. */
function Labels({ data, layout }: Pick<DrawingProps, 'data' | 'layout'>) {
  const { points } = data;
  const { bands, plot, tops } = layout;
  const step = bands[0]?.width ?? 1;
  const longest = Math.min(
    12,
    points.reduce((most, { short }) => Math.max(most, short.length), 1),
  );
  const every = Math.max(1, Math.ceil((longest * letterWidth + 10) / step));
  const room = Math.max(4, Math.floor((step * every - 8) / letterWidth));
  return (
    <>
      {points.map(({ key, short }, at) => {
        const band = bands[at];
        if (!band || at % every !== 0) return null;
        return (
          <text
            key={key}
            className="graph-name"
            x={band.x + band.width / 2}
            y={plot.y + plot.height + 20}
            textAnchor="middle"
          >
            {short.length > room ? `${short.slice(0, room - 1)}…` : short}
          </text>
        );
      })}
      {points.map(({ key, total }, at) => {
        const top = tops[at];
        if (!top || !total) return null;
        return (
          <text key={key} className="graph-top" x={top.x} y={top.y} textAnchor="middle">
            {formatShort(amount(total))}
          </text>
        );
      })}
    </>
  );
}
