import type { FieldReadProps } from './define-field.ts';
import { widgetOf } from './registry.ts';

type ValueProps = Omit<FieldReadProps, 'value'>;

/** A field of a record, drawn by its widget. */
export function ValueRead(props: ValueProps) {
  const { Read } = widgetOf(props.field, props.node.widget);
  return <Read {...props} value={props.record[props.field.name]} />;
}

/** The same as plain text. */
export function valueText(props: ValueProps): string {
  return widgetOf(props.field, props.node.widget).toText({ ...props, value: props.record[props.field.name] });
}
