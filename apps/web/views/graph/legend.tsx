import { t } from '../../door/index.ts';
import type { GraphData } from './graph-data.ts';

interface LegendProps {
  readonly data: GraphData;
  readonly hidden: ReadonlySet<string>;
  readonly active: number;
  /** The label of the comparison period; null without one. */
  readonly before: string | null;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}

/** A click hides a series; a double click hides all others. */
export function Legend({ data, hidden, active, before, onChange }: LegendProps) {
  const { series } = data;
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    onChange(next.size === series.length ? new Set() : next);
  };
  const isolate = (key: string) => onChange(new Set(series.flatMap((one) => (one.key === key ? [] : [one.key]))));
  if (series.length < 2 && before === null) return null;
  return (
    <ul className="line wrap small mut gap-2 rows-half graph-legend" aria-label={t('Legend')}>
      {series.length > 1 &&
        series.map((one, at) => (
          <li key={one.key}>
            <button
              type="button"
              aria-pressed={!hidden.has(one.key)}
              className={`inline-row gap-1h least-24 pad-x-2 round-s hovers ${at === active ? 'ink semi' : ''}`}
              title={t('Click to hide or show, double click to show only this')}
              onClick={() => toggle(one.key)}
              onDoubleClick={() => isolate(one.key)}
            >
              <i
                className="rigid round-3 square-10 bg-current graph-swatch"
                style={{ color: one.colour }}
                aria-hidden="true"
              />
              {one.label}
            </button>
          </li>
        ))}
      {before !== null && (
        <li className="inline-row gap-1h least-24 pad-x-2 round-s graph-legend-before">
          <i className="rigid bg-current graph-swatch-before" aria-hidden="true" />
          {before}
        </li>
      )}
    </ul>
  );
}
