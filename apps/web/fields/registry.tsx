import type { ArchField } from '@kontor/protocol';
import { createRegistry } from '../state/registry.ts';
import type { FieldReadProps, FieldWidget } from './define-field.ts';
import { plainField } from './plain.tsx';

type Maker = (field: ArchField) => FieldWidget;

const widgets = createRegistry<Maker>('field widget');

export function addField(widget: FieldWidget): void {
  widgets.add(widget.name, () => widget);
}

/** A widget that an addon brings, by the name that views give it. */
export function addFieldMaker(name: string, maker: Maker): void {
  if (droppedNames.delete(name)) widgets.remove(name);
  widgets.add(name, maker);
}

const droppedNames = new Set<string>();

/** After its module was uninstalled: screens that are still open draw the field by the widget of its type. */
export function dropField(name: string): void {
  widgets.remove(name);
  widgets.add(name, (field) => widgetOf(field));
  droppedNames.add(name);
}

/** The widget that a view names, else the one of its format or type. */
export function widgetOf(field: ArchField, named?: string): FieldWidget {
  if (named !== undefined) return widgets.get(named)(field);
  const usual = field.format ?? field.type;
  return widgets.has(usual) ? widgets.get(usual)(field) : plainField;
}

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
