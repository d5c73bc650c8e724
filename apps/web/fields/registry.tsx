import type { ArchField } from '@kontor/protocol';
import { createRegistry } from '../state/registry.ts';
import type { FieldReadProps, FieldWidget } from './define-field.ts';
import { plainField } from './plain.tsx';

type Maker = (field: ArchField) => FieldWidget;

const widgets = createRegistry<Maker>('field widget');

export function addField(widget: FieldWidget): void {
  widgets.add(widget.name, () => widget);
}

/** Registers an addon's widget under the name that views use. */
export function addFieldMaker(name: string, maker: Maker): void {
  if (droppedNames.delete(name)) widgets.remove(name);
  widgets.add(name, maker);
}

const droppedNames = new Set<string>();

/** Called after a module is uninstalled: screens that are still open use the default widget of the field's type. */
export function dropField(name: string): void {
  widgets.remove(name);
  widgets.add(name, (field) => widgetOf(field));
  droppedNames.add(name);
}

/** The widget that a view names, otherwise the one for its format or type. */
export function widgetOf(field: ArchField, named?: string): FieldWidget {
  if (named !== undefined) return widgets.get(named)(field);
  const usual = field.format ?? field.type;
  return widgets.has(usual) ? widgets.get(usual)(field) : plainField;
}

type ValueProps = Omit<FieldReadProps, 'value'>;

/** A field of a record, rendered by its widget. */
export function ValueRead(props: ValueProps) {
  const { Read } = widgetOf(props.field, props.node.widget);
  return <Read {...props} value={props.record[props.field.name]} />;
}

/** The same as plain text. */
export function valueText(props: ValueProps): string {
  return widgetOf(props.field, props.node.widget).toText({ ...props, value: props.record[props.field.name] });
}
