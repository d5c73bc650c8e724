import type { Point } from '../graph/graph-data.ts';
import { amount } from '../graph/graph-data.ts';
import { TileTotal, useTileGraph } from './graph-tile.tsx';
import { NothingHere } from './tile-states.tsx';
import type { TileProps } from './tile-view.ts';

/** One number, its change, and a sparkline of its history. */
export function FigureTile(props: TileProps) {
  const { analysis, graph } = useTileGraph(props);
  const { data } = graph;
  if (!data) return null;
  if (!data.total) return <NothingHere />;
  return (
    <div className="column fill">
      <TileTotal {...{ analysis, graph }} />
      {graph.choice.isDateAxis && <Line points={data.points} />}
    </div>
  );
}

const [width, height, edge] = [240, 56, 4];

/** The sparkline shows only the trend; the graph that the tile opens has the figures. */
function Line({ points }: { readonly points: readonly Point[] }) {
  const now = points.findIndex(({ isRunning }) => isRunning);
  const past = now < 0 ? points : points.slice(0, now + 1);
  if (past.length < 2) return null;
  const values = [...past.map(({ total }) => amount(total)), ...points.map(({ before }) => amount(before))];
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const x = (at: number) => edge + (at / Math.max(1, points.length - 1)) * (width - 2 * edge);
  const y = (value: number) => height - edge - ((value - low) / (high - low)) * (height - 2 * edge);
  const path = (line: readonly number[]) =>
    `M${line.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}`;
  const line = past.map(({ total }) => amount(total));
  const hasBefore = points.some(({ before }) => before !== null);
  return (
    <svg
      className="fill full above-2 spill stroked tile-line"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {hasBefore && <path className="is-before" d={path(points.map(({ before }) => amount(before)))} />}
      <path d={path(line)} />
      <path className="is-end" d={`M${x(line.length - 1)} ${y(line.at(-1) ?? 0)}h0`} />
    </svg>
  );
}
