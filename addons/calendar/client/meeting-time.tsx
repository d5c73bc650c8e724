import { dateIn, defineField, type FieldEditProps, type FieldReadProps, widgetOf } from '@kontor/client';
import { Availability } from './availability.tsx';

/**
 * The start or end of a meeting. Whole days are shown and chosen as dates, the same in every zone; the last one is included, while
 * the stored end is the midnight after it.
 */
export const meetingTimeField = defineField({
  name: 'meeting_time',
  Read: (props) => {
    const { Read } = widgetOf(shown(props).field);
    return <Read {...shown(props)} />;
  },
  Edit: (props: FieldEditProps) => {
    const { Edit } = widgetOf(shown(props).field);
    const change = (value: unknown) => props.onChange(isDay(props) ? toMidnight(props, value) : value);
    if (!Edit) return null;
    const time = <Edit {...props} {...shown(props)} onChange={change} />;
    if (props.node.options?.availability !== true || props.place !== 'form') return time;
    const choose = (start: string) => {
      props.onChange(start);
      props.onCommit?.();
    };
    return (
      <div className="shrink calendar-when">
        {time}
        <Availability record={props.record} onChoose={choose} />
      </div>
    );
  },
  toText: (props) => widgetOf(shown(props).field).toText(shown(props)),
});

function isDay({ record }: FieldReadProps): boolean {
  return record.all_day === true;
}

function shown<P extends FieldReadProps>(props: P): P {
  const { widget: _, ...node } = props.node;
  if (!isDay(props)) return { ...props, node };
  return { ...props, node, field: { ...props.field, type: 'date' }, value: toDay(props) };
}

const dayMs = 86_400_000;

function isEnd({ field }: FieldReadProps): boolean {
  return field.name === 'stop';
}

function toDay(props: FieldReadProps): unknown {
  const at = Date.parse(String(props.value ?? ''));
  return Number.isNaN(at) ? props.value : dateIn('UTC', new Date(at - (isEnd(props) ? 1 : 0)));
}

/** Text that is not a date is passed on as it is, so that the form shows a message. */
function toMidnight(props: FieldReadProps, value: unknown): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  return new Date(Date.parse(value) + (isEnd(props) ? dayMs : 0)).toISOString();
}
