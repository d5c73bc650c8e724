import { defineField, type FieldReadProps, formatHours, t } from '@kontor/client';
import './hours-bar.css';

interface Hours {
  readonly spent: number;
  readonly planned: number;
}

/** Spent and planned hours: `options='{"planned": "hours_planned"}'` names the other field. */
export const hoursBarField = defineField({
  name: 'hours_bar',
  Read: HoursBar,
  Edit: null,
  toText: (props) => sentence(hoursOf(props)),
  width: 170,
});

function HoursBar(props: FieldReadProps) {
  const hours = hoursOf(props);
  const { spent, planned } = hours;
  const whole = Math.max(spent, planned);
  const part = (value: number) => ({ inlineSize: `${whole > 0 ? (100 * value) / whole : 0}%` });
  const isOver = planned > 0 && spent > planned;
  return (
    <span className="inline-row gap-2 full progress project-hours" role="img" aria-label={sentence(hours)}>
      {planned > 0 && (
        <span className="line share round-3 clip muted meter">
          <span className="bg-accent" style={part(Math.min(spent, planned))} />
          {isOver && <span className="bg-bad" style={part(spent - planned)} />}
        </span>
      )}
      <span className={`num ${isOver ? 'bad' : ''}`}>
        {planned > 0 ? `${formatHours(spent)} / ${formatHours(planned)}` : formatHours(spent)}
      </span>
    </span>
  );
}

function hoursOf({ value, record, node }: FieldReadProps): Hours {
  const beside = node.options?.planned;
  return { spent: Number(value ?? 0), planned: Number((typeof beside === 'string' && record[beside]) || 0) };
}

function sentence({ spent, planned }: Hours): string {
  const words = { spent: formatHours(spent), planned: formatHours(planned) };
  if (planned <= 0) return t('{spent} hours', words);
  if (spent <= planned) return t('{spent} of {planned} hours', words);
  return t('{spent} of {planned} hours, {over} over', { ...words, over: formatHours(spent - planned) });
}
