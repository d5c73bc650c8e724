import type { Ref } from 'react';
import { formatShare } from '../../door/index.ts';
import { amount, type GraphData } from './graph-data.ts';
import { slicePath } from './shapes.ts';

interface PieProps {
  readonly data: GraphData;
  readonly hidden: ReadonlySet<string>;
  readonly width: number;
  readonly height: number;
  /** -1: none. */
  readonly active: number;
  readonly label: string;
  readonly total: string;
  readonly ref: Ref<SVGSVGElement>;
  readonly onPoint: (series: number) => void;
  readonly onOpen: (series: number) => void;
}

interface Slice {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

/** Shares of a total. Negative values have no slice. */
export function slicesOf({ series }: GraphData, hidden: ReadonlySet<string>): readonly Slice[] {
  const sizes = series.map((one) => (hidden.has(one.key) ? 0 : Math.max(0, amount(one.total))));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  if (whole === 0) return [];
  let from = 0;
  return sizes.flatMap((size, index) => {
    if (size === 0) return [];
    const slice = { index, from, to: from + size / whole };
    from = slice.to;
    return [slice];
  });
}

export function Pie({ data, hidden, width, height, active, label, total, ref, onPoint, onOpen }: PieProps) {
  const radius = Math.max(40, Math.min(width, height) / 2 - 34);
  const centre = [width / 2, height / 2] as const;
  const slices = slicesOf(data, hidden);
  const marked = slices.find(({ index }) => index === active);
  return (
    <svg
      ref={ref}
      className="block spill graph-svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {slices.map(({ index, from, to }) => {
        const middle = (from + to) * Math.PI;
        const far = radius + 16;
        return (
          <g key={data.series[index]?.key}>
            <path
              className={`pointer graph-slice ${marked && index !== active ? 'is-pale' : ''}`}
              style={{ color: data.series[index]?.colour }}
              d={slicePath(centre, radius, from, to)}
              onPointerEnter={() => onPoint(index)}
              onClick={() => onOpen(index)}
            />
            {to - from > 0.03 && (
              <text
                className="graph-top"
                x={centre[0] + far * Math.sin(middle)}
                y={centre[1] - far * Math.cos(middle) + 4}
                textAnchor="middle"
              >
                {formatShare(to - from)}
              </text>
            )}
          </g>
        );
      })}
      {marked && (
        <path data-passing="" className="stroked graph-ring" d={slicePath(centre, radius, marked.from, marked.to)} />
      )}
      <text className="strong graph-whole" x={centre[0]} y={centre[1] + 6} textAnchor="middle">
        {total}
      </text>
    </svg>
  );
}
